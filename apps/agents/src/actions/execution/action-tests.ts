import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ActionTest, Caller } from '@signalbox/contracts';
import { Actions } from '../actions.repository.js';
import { RunEndedError } from '@signalbox/runs';
import { ActionRunner } from './action-runner.js';
import { requireSecrets, secretsOf } from '../../drafts/index.js';
import { TEST_ATTRIBUTION } from '../../models/index.js';
import { readArguments } from '../tools.js';

export interface ActionTrial {
  action_id: number;
  arguments: Record<string, unknown>;
  secrets: Record<string, string>;
}

const MARGIN_MS = 1000;
/** A caller waits for the test, so a service that stays down is reported soon, and not as a time-out of the action. */
const DOWN_MS = 5000;

/** Nothing is stored. */
@Injectable()
export class ActionTests {
  constructor(
    private readonly actions: Actions,
    private readonly runner: ActionRunner,
  ) {}

  async run(caller: Caller, trial: ActionTrial): Promise<ActionTest> {
    const action = await this.actions.getWithAgent(caller.companyId, trial.action_id);
    const secrets = requireSecrets(secretsOf([{ ...action, enabled: true }]), trial.secrets);
    const given = readArguments(action, JSON.stringify(trial.arguments));
    if (typeof given === 'string') return refused(given);
    const signal = timeOutAt(caller.deadline - MARGIN_MS);
    const outcome = await this.runner
      .run({
        companyId: caller.companyId,
        action,
        arguments: given,
        secrets,
        base_url: action.base_url,
        taskId: `test-${randomUUID()}`,
        step: 1,
        attribution: TEST_ATTRIBUTION,
        signal,
        downMs: DOWN_MS,
        application_id: action.application_id,
        model: action.model,
      })
      .catch(unlessTimedOut(signal));
    if (!outcome) return { ...refused('the action took longer than its caller waits'), status: 'TIMEOUT' };
    const { status, output, duration_ms, failure_class, error_message } = outcome;
    return { status, output, duration_ms, failure_class, error_message };
  }
}

function timeOutAt(time: number): AbortSignal {
  const over = new AbortController();
  setTimeout(() => over.abort(new RunEndedError()), Math.max(0, time - Date.now())).unref();
  return over.signal;
}

/** Null after the time-out of the test; a service that is down is an error of the call. */
const unlessTimedOut =
  (signal: AbortSignal) =>
  (error: unknown): null => {
    if (signal.aborted) return null;
    throw error;
  };

const refused = (error_message: string): ActionTest => ({
  status: 'ERROR',
  output: null,
  duration_ms: 0,
  failure_class: 'quality',
  error_message,
});
