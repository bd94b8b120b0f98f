import { Injectable } from '@nestjs/common';
import { type AgentSession, type Caller, type JsonText, notFound, type TaskStatus } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import { Drafts } from '../drafts/index.js';
import { changeState } from '../form-fields/index.js';
import { type CommittedEvents, RunNotifications } from '@signalbox/runs';
import { addToState, type RunningTask, stateUpdated, TaskRuns } from '../tasks/index.js';
import { AgentSessions } from './sessions.repository.js';
import { LOCK_NEWEST_TASK } from './state-writes.sql.js';
import { sessionView } from './sessions.sql.js';

/** The stream of the task has begun and has not ended. */
const STREAMING: readonly TaskStatus[] = ['RUNNING', 'WAITING_WEBHOOK'];

/** SQL: the newest task of a session is locked and read in the transaction of the write. */
@Injectable()
export class StateWrites {
  constructor(
    private readonly db: Database,
    private readonly sessions: AgentSessions,
    private readonly drafts: Drafts,
    private readonly runs: TaskRuns,
    private readonly notifications: RunNotifications,
  ) {}

  /**
   * Values are validated by the form fields of the draft, because a session has no version. The change is an event of
   * the newest task of the session, on its stream while that is open.
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
      const [task] = await tx.query<Pick<RunningTask, 'id' | 'session_no' | 'last_seq' | 'status'>>(LOCK_NEWEST_TASK, [
        tx.companyId,
        id,
      ]);
      await addToState(tx, id, change);
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
