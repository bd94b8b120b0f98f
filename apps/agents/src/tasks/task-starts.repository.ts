import type { Message } from '@signalbox/contracts';
import { type Tx } from '@signalbox/database';
import type { LockedTask } from './execution/running-task.js';
import { type EarlierTask, historyBefore, historyOf } from './model/session-history.js';
import { EARLIER_TASK, HISTORY_OF_SESSION } from './task-starts.sql.js';

/** How soon a task checks again for an earlier one that is being written. */
const RECHECK_MS = 50;

/**
 * How long a task may still be queued, in ms, while an earlier task of its session is open; null when none is. The task
 * of a sub-agent runs within that of its parent, and a nested task never waits for one that is less deep, which may be
 * waiting for it. The end of the earlier task wakes the next one that it sees, so the task waits for it only while it
 * holds its row: an end that is being committed may not have seen it.
 */
export async function queuedMs(tx: Tx, task: LockedTask, queueMs: number): Promise<number | null> {
  if (task.parent_task_id !== null) return null;
  const [earlier] = await tx.query<{ left_ms: number; held: boolean }>(EARLIER_TASK, [tx.companyId, task.id, queueMs]);
  if (!earlier) return null;
  return earlier.held ? earlier.left_ms : Math.min(earlier.left_ms, RECHECK_MS);
}

const EARLIER_TASKS = 20;

type HistoryOwner = Pick<LockedTask, 'id' | 'session_no'> & { trigger: string; input_messages: readonly Message[] };

export async function sessionHistory(tx: Tx, task: HistoryOwner): Promise<Message[]> {
  // A chat completion contains the whole conversation.
  if (task.trigger === 'CHAT') return [];
  const rows = await tx.query<EarlierTask>(HISTORY_OF_SESSION, [tx.companyId, task.session_no, task.id, EARLIER_TASKS]);
  return historyBefore(task.input_messages, historyOf(rows.reverse()));
}
