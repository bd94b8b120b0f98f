import type { Message } from '@signalbox/contracts';
import { NOW_MS, type Tx } from '@signalbox/database';
import type { LockedTask } from './execution/running-task.js';
import { type EarlierTask, historyBefore, historyOf } from './model/session-history.js';
import { SESSION_STATES } from './task.view.js';

/** How soon a task looks again at an earlier one that is being written. */
const RECHECK_MS = 50;

/**
 * The milliseconds for which a task may still be queued while an earlier task of its session is open; null when none
 * is. The task of a sub-agent runs within that of its parent, and a nested task waits for none that is less deep: such a
 * task may be waiting for it. The end of the earlier task wakes the next one that it
 * sees, so the task waits for it only while it holds its row: an end that is being committed may not have seen it.
 */
export async function queuedMs(tx: Tx, task: LockedTask, queueMs: number): Promise<number | null> {
  if (task.parent_task_id !== null) return null;
  const [earlier] = await tx.query<{ left_ms: number; held: boolean }>(
    `WITH earlier AS MATERIALIZED (
       SELECT e.id, t.date_created + $3::bigint - ${NOW_MS} AS left_ms
       FROM agents.tasks t JOIN agents.tasks e ON e.company_id = t.company_id AND e.session_no = t.session_no
         AND e.no < t.no AND e.depth >= t.depth AND e.parent_task_id IS NULL AND e.completed_at IS NULL
       WHERE t.company_id = $1 AND t.id = $2 ORDER BY e.no LIMIT 1
     ), held AS MATERIALIZED (
       SELECT e.id FROM agents.tasks e WHERE e.company_id = $1 AND e.id = (SELECT id FROM earlier)
         AND e.completed_at IS NULL FOR SHARE SKIP LOCKED
     ) SELECT left_ms, EXISTS (SELECT FROM held) AS held FROM earlier`,
    [tx.companyId, task.id, queueMs],
  );
  if (!earlier) return null;
  return earlier.held ? earlier.left_ms : Math.min(earlier.left_ms, RECHECK_MS);
}

/** What a worker reads of a task `t` that it starts. */
export const STARTED = `json_build_object('started_at', t.started_at, 'active_since', t.active_since,
  'state', ${SESSION_STATES.state}, 'parent', ${SESSION_STATES.parent})`;

const EARLIER_TASKS = 20;
/**
 * Earlier tasks with more bytes of input are left out of the history, so that a session does not grow without limit.
 */
const MAX_REMEMBERED = 262_144;

type HistoryOwner = Pick<LockedTask, 'id' | 'session_no'> & { trigger: string; input_messages: readonly Message[] };

/** The messages of the completed tasks of a session before a task, without those that its input repeats. */
export async function sessionHistory(tx: Tx, task: HistoryOwner): Promise<Message[]> {
  // A chat completion contains the whole conversation.
  if (task.trigger === 'CHAT') return [];
  const rows = await tx.query<EarlierTask>(
    `SELECT t.input_messages, t.output FROM agents.tasks t
       WHERE t.company_id = $1 AND t.session_no = $2 AND t.status = 'COMPLETED' AND t.id <> $3
         AND pg_column_size(t.input_messages) < ${MAX_REMEMBERED} ORDER BY t.no DESC LIMIT $4`,
    [tx.companyId, task.session_no, task.id, EARLIER_TASKS],
  );
  return historyBefore(task.input_messages, historyOf(rows.reverse()));
}
