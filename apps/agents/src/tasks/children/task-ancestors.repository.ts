import type { TaskStatus } from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import { move } from '../task.js';
import {
  type LoggedTask,
  TASK_RECORD,
  taskEmission,
  type TaskRecord,
  type EmittedTaskEvents,
  type EmittedTask,
  writeLog,
} from '../task-log.repository.js';

/** An unfinished task that rests until one below it has ended. */
export interface TaskAncestor extends EmittedTask, LoggedTask {
  depth: number;
}

/** A task that waits for a callback stops all above it, and its end or its going on sets them going again. */
const inStatus = (above: readonly TaskAncestor[], status: TaskStatus): TaskAncestor[] =>
  above.filter((task) => task.status === status);

/**
 * Locks the tasks that rest until this one has ended, the top one first: whoever locks several tasks of a family locks
 * them in this order. One that has ended meanwhile waits for nothing, and neither does any above it.
 */
export async function lockAncestors(tx: Tx, taskId: string): Promise<TaskAncestor[]> {
  const rows = await tx.query<TaskAncestor>(
    `WITH RECURSIVE above AS (
       SELECT c.parent_task_id AS id FROM agents.tasks c WHERE c.company_id = $1 AND c.id = $2
       UNION ALL
       SELECT c.parent_task_id FROM above a JOIN agents.tasks c ON c.company_id = $1 AND c.id = a.id)
     SELECT t.id, t.agent_id, t.session_id, t.session_no, t.status, t.trigger, t.version, t.last_seq, t.depth
     FROM agents.tasks t WHERE t.company_id = $1 AND t.id IN (SELECT id FROM above) ORDER BY t.depth FOR UPDATE OF t`,
    [tx.companyId, taskId],
  );
  const ended = rows.findLastIndex(({ status }) => status !== 'RUNNING' && status !== 'WAITING_WEBHOOK');
  return rows.slice(ended + 1);
}

/** Those above a task that begins to wait for a callback wait with it; answers what is to be announced. */
export async function waitWith(
  tx: Tx,
  above: readonly TaskAncestor[],
  taskId: string,
  hook_expires_at: number | undefined,
): Promise<EmittedTaskEvents[]> {
  const told: EmittedTaskEvents[] = [];
  for (const [at, task] of inStatus(above, 'RUNNING').entries()) {
    const status = move(task, 'wait');
    const waiting = await tx.query<TaskRecord>(
      `UPDATE agents.tasks t SET status = $3, hook_expires_at = $4
       WHERE t.company_id = $1 AND t.id = $2 RETURNING ${TASK_RECORD}`,
      [tx.companyId, task.id, status, hook_expires_at ?? null],
    );
    tx.emit(...taskEmission('agent_task.waiting', waiting));
    const data = { child_task_id: above[at + 1]?.id ?? taskId, hook_expires_at };
    const waits = { event: { type: 'task.waiting', data: { hook_expires_at } } };
    const events = await writeLog(tx, task, [{ ...waits, timeline: { type: 'waiting_webhook', data } }]);
    told.push({ id: task.id, events });
  }
  return told;
}

/** What was waited for below is over: the tasks above wait for a callback no longer. */
export async function resumeAncestors(tx: Tx, above: readonly TaskAncestor[]): Promise<void> {
  const waiting = inStatus(above, 'WAITING_WEBHOOK');
  if (waiting.length === 0) return;
  await tx.query(
    `UPDATE agents.tasks SET status = 'RUNNING', hook_expires_at = NULL WHERE company_id = $1 AND id = ANY ($2::uuid[])`,
    [tx.companyId, waiting.map(({ id }) => id)],
  );
}

/** A task that waits for the child that has just ended is due again. */
export async function wakeParent(tx: Tx, parentId: string | null): Promise<void> {
  if (parentId === null) return;
  const [parent] = await tx.query<{ work_kind: string }>(
    `SELECT work_kind FROM agents.tasks WHERE company_id = $1 AND id = $2 AND status = 'RUNNING'`,
    [tx.companyId, parentId],
  );
  if (parent) tx.addWork(parent.work_kind, parentId);
}

/** A task has ended: the next one of its session is due. */
export async function wakeNext(
  tx: Tx,
  { session_no, parent_task_id }: { session_no: number; parent_task_id: string | null },
): Promise<void> {
  if (parent_task_id !== null) return;
  const [next] = await tx.query<{ id: string; status: TaskStatus; work_kind: string }>(
    `SELECT id, status, work_kind FROM agents.tasks
     WHERE company_id = $1 AND session_no = $2 AND parent_task_id IS NULL AND completed_at IS NULL ORDER BY no LIMIT 1`,
    [tx.companyId, session_no],
  );
  if (next?.status === 'QUEUED') tx.addWork(next.work_kind, next.id);
}
