import type { Pool } from 'pg';

interface TaskRow {
  id: string;
  parent: string | null;
  status: string;
  ended: string[];
  seqs: number[];
  steps: number[];
  emitted: string[];
}

const TERMINAL: Record<string, string> = { COMPLETED: 'completed', FAILED: 'failed', CANCELLED: 'cancelled' };

const TASKS = `SELECT t.id, t.parent_task_id AS parent, t.status,
    (SELECT coalesce(array_agg(e.type ORDER BY e.seq), '{}') FROM agents.task_events e
      WHERE e.task_id = t.id AND e.type IN ('task.completed', 'task.failed', 'task.cancelled')) AS ended,
    (SELECT coalesce(array_agg(e.seq ORDER BY e.seq), '{}') FROM agents.task_events e WHERE e.task_id = t.id) AS seqs,
    (SELECT coalesce(array_agg(s.step_no ORDER BY s.step_no), '{}') FROM agents.task_steps s WHERE s.task_id = t.id) AS steps,
    (SELECT coalesce(array_agg(o.payload::json ->> 'event' ORDER BY o.id), '{}') FROM agents.outbox o
      WHERE o.company_id = t.company_id AND o.payload::json -> 'resource' ->> 'id' = t.id::text) AS emitted
  FROM agents.tasks t WHERE t.company_id = $1`;

const dense = (numbers: number[]): boolean => numbers.every((value, at) => value === at + 1);

/** As the state table allows; a callback that resumes a task has no event. */
const ALLOWED = /^queued,(cancelled|started,(waiting,)*(completed|failed|cancelled))$/;

function faultsOf(task: TaskRow): string[] {
  const name = `task ${task.id}`;
  const end = TERMINAL[task.status];
  if (!end) return [`${name} is still ${task.status}`];
  const faults: string[] = [];
  if (task.ended.length !== 1 || task.ended[0] !== `task.${end}`)
    faults.push(`${name} is ${task.status} and its stream ends with ${task.ended.join(', ') || 'nothing'}`);
  if (!dense(task.seqs)) faults.push(`${name} has a gap in its events`);
  if (!dense(task.steps)) faults.push(`${name} has a gap in its steps`);
  const emitted = task.emitted
    .filter((event) => event?.startsWith('agent_task.'))
    .map((event) => event.replace('agent_task.', ''));
  if (!ALLOWED.test(emitted.join())) faults.push(`${name} moved along ${emitted.join()}`);
  return faults;
}

export async function taskFaults(
  sql: Pool,
  companyId: number,
  accepted: ReadonlyMap<string, string>,
): Promise<string[]> {
  const { rows } = await sql.query<TaskRow>(TASKS, [companyId]);
  const known = new Map(rows.map((row) => [row.id, row]));
  const ids = [...accepted.values()];
  const lost = ids.filter((id) => !known.has(id)).map((id) => `task ${id} was accepted and is gone`);
  const once = new Set(ids).size === ids.length ? [] : ['two calls returned the same task'];
  const wanted = new Set(ids);
  const twice = rows
    .filter(({ id, parent }) => parent === null && !wanted.has(id))
    .map((row) => `task ${row.id} was started and belongs to no call`);
  return [...lost, ...once, ...twice, ...rows.flatMap(faultsOf)];
}
