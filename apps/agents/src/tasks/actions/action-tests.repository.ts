import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type ActionTest, type Caller, notFound } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import { ActionRunner } from './action-runner.js';
import { requireSecrets, secretsOf } from '../submission/task-submission.js';
import { OF_TEST } from '../model/call-attribution.js';
import { readArguments, type TaskAction } from '../model/tools.js';

/** The action to test and its arguments. */
export interface ActionTrial {
  action_id: number;
  arguments: Record<string, unknown>;
  secrets: Record<string, string>;
}

interface Tried extends TaskAction {
  base_url: string | null;
  model: string | null;
  application_id: number | null;
}

const MARGIN_MS = 1000;

/**
 * Test runs of single actions of drafts; nothing is stored.
 *
 * SQL: action and agent are read in one round trip.
 */
@Injectable()
export class ActionTests {
  constructor(
    private readonly db: Database,
    private readonly runner: ActionRunner,
  ) {}

  async run(caller: Caller, trial: ActionTrial): Promise<ActionTest> {
    const action = await this.find(caller.companyId, trial.action_id);
    const secrets = requireSecrets(secretsOf([{ ...action, enabled: true }]), trial.secrets);
    const given = readArguments(action, JSON.stringify(trial.arguments));
    if (typeof given === 'string') return refused(given);
    const outcome = await this.runner
      .run({
        companyId: caller.companyId,
        action,
        arguments: given,
        secrets,
        base_url: action.base_url,
        taskId: `test-${randomUUID()}`,
        step: 1,
        attribution: OF_TEST,
        signal: AbortSignal.timeout(Math.max(0, caller.deadline - Date.now() - MARGIN_MS)),
        application_id: action.application_id,
        model: action.model,
      })
      .catch(() => null);
    if (!outcome) return { ...refused('the action took longer than its caller waits'), status: 'TIMEOUT' };
    const { status, output, duration_ms, failure_class, error_message } = outcome;
    return { status, output, duration_ms, failure_class, error_message };
  }

  private async find(companyId: number, id: number): Promise<Tried> {
    const [action] = await this.db.select<Tried>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.id, t.action_name, t.action_type, t.description, t.enabled, t.action_config,
           t.meta, t.is_default, t.action_result_type, t.invocation_mode, a.base_url, a.model, a.application_id
         FROM agents.actions t JOIN agents.agents a ON a.company_id = t.company_id AND a.id = t.agent_id
         WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL AND a.deleted_at IS NULL OFFSET 0) x`,
      [id],
    );
    if (!action) throw notFound('action');
    return action;
  }
}

const refused = (error_message: string): ActionTest => ({
  status: 'ERROR',
  output: null,
  duration_ms: 0,
  failure_class: 'quality',
  error_message,
});
