import { Injectable } from '@nestjs/common';
import {
  type AgentSession,
  type Caller,
  invalidField,
  type JsonText,
  notFound,
  type TaskStatus,
} from '@signalbox/contracts';
import { Database, type Tx } from '@signalbox/database';
import type { SecretBag } from '@signalbox/egress';
import { Drafts } from '../agents/drafts.repository.js';
import { changeState } from '../form-fields/form-field.js';
import { type CommittedEvents, RunNotifications, stripUnstorable } from '@signalbox/runs';
import type { ActionStep } from '../tasks/model/conversation.js';
import { stateUpdated } from '../tasks/steps/step-events.js';
import type { WriteState } from '../tasks/steps/next.js';
import type { RunningTask } from '../tasks/loop/running-task.js';
import { TaskRuns } from '../tasks/task-runs.repository.js';
import type { StepRecord } from '../tasks/loop/task-outcome.js';
import { blank, callOf, stateOf } from '../tasks/steps/task-steps.js';
import { readChange } from './session-state.js';
import { AgentSessions, sessionView } from './sessions.repository.js';

const MAX_STATE = 65_536;
/** The states of a task whose stream has begun and has not ended. */
const STREAMING: readonly TaskStatus[] = ['RUNNING', 'WAITING_WEBHOOK'];

/**
 * Writes the state of sessions, for models that fill in form fields and for API callers.
 *
 * SQL: the state is merged with jsonb operators under the lock of the running task.
 */
@Injectable()
export class StateWrites {
  constructor(
    private readonly db: Database,
    private readonly sessions: AgentSessions,
    private readonly drafts: Drafts,
    private readonly runs: TaskRuns,
    private readonly notifications: RunNotifications,
  ) {}

  /** Executes a step in which a model writes fields; the fields commit with the record of the step. */
  execute(task: RunningTask, next: WriteState, bag: SecretBag | undefined): StepRecord {
    const change = readChange(stateOf(task), next.call.function.arguments);
    const record = (step: Partial<ActionStep>): StepRecord => ({
      step: { ...blank(next), ...step },
      request: stripUnstorable(callOf(next), bag),
      duration_ms: 0,
      made: null,
    });
    if ('problem' in change) return record({ status: 'ERROR', error_message: change.problem });
    const [own, parents] = [stripUnstorable(change.own, bag), stripUnstorable(change.parents, bag)];
    task.state = { ...task.state, ...own };
    if (task.parent) task.parent.state = { ...task.parent.state, ...parents };
    return {
      ...record({ status: 'SUCCESS', output: { status: 'SUCCESS' } }),
      effect: async (tx) => {
        await write(tx, task.session_no, own);
        if (task.parent) await write(tx, task.parent.session_no, parents);
        return [stateUpdated({ ...parents, ...own })];
      },
    };
  }

  /**
   * Sets fields of a session for an API caller. Chosen: they are validated by the form fields of the draft, because a
   * session has no version; the change is an event of the newest task of the session, on its stream while that is open.
   */
  async set(
    caller: Caller,
    input: { agent_id: number; session_id: string; state: Record<string, unknown> },
  ): Promise<JsonText<AgentSession>> {
    const { agent_id, session_id, state } = input;
    const [{ id }, draft] = await Promise.all([
      this.sessions.find(caller.companyId, agent_id, session_id),
      this.drafts.find(caller.companyId, agent_id),
    ]);
    const change = changeState(draft?.form_fields ?? [], {}, state);
    let committed: CommittedEvents[] = [];
    const session = await this.db.withCompany(caller, async (tx) => {
      const [task] = await tx.query<Pick<RunningTask, 'id' | 'session_no' | 'last_seq' | 'status'>>(
        `SELECT t.id, t.session_no, t.last_seq, t.status FROM agents.tasks t
         WHERE t.company_id = $1 AND t.session_no = $2 ORDER BY t.no DESC LIMIT 1 FOR UPDATE`,
        [tx.companyId, id],
      );
      await write(tx, id, change);
      if (task && Object.keys(change).length > 0) {
        const { event, timeline } = stateUpdated(change);
        const runEvent = {
          ...(timeline ? { timeline } : {}),
          ...(event && STREAMING.includes(task.status) ? { event } : {}),
        };
        committed = [await this.runs.writes.log(tx, task, [runEvent])];
      }
      tx.audit({ action: 'update', resource_type: 'session', resource_id: session_id, after: { state: change } });
      const read = await tx.read<AgentSession>(sessionView, id);
      if (!read) throw notFound('session');
      return read;
    });
    this.notifications.publish(committed);
    return session;
  }
}

async function write(tx: Tx, sessionNo: number, change: Record<string, unknown>): Promise<void> {
  if (Object.keys(change).length === 0) return;
  const [row] = await tx.query<{ size: number }>(
    `UPDATE agents.sessions SET state = state || $3::jsonb, date_updated = $4 WHERE company_id = $1 AND id = $2
     RETURNING octet_length(state::text) AS size`,
    [tx.companyId, sessionNo, JSON.stringify(change), Date.now()],
  );
  if ((row?.size ?? 0) > MAX_STATE) throw invalidField('state', 'makes the state of the session larger than 64 KiB');
}
