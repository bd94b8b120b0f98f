import type { Pool } from 'pg';
import type { Asked } from './plan.js';

interface FamilyRow {
  id: string;
  parent: string | null;
  parent_step: number | null;
  status: string;
  error_code: string | null;
  completed_at: number;
  ended: number[];
  steps: { no: number; tool: string; kind: string; status: string; child: string | null }[];
  events: { type: string; no: number }[];
}

const FAMILIES = `SELECT t.id, t.parent_task_id AS parent, t.parent_step, t.status, t.error_code,
    t.completed_at::float8 AS completed_at,
    (SELECT coalesce(array_agg(o.id::float8 ORDER BY o.id), '{}') FROM agents.outbox o
      WHERE o.company_id = t.company_id AND o.payload::json -> 'resource' ->> 'id' = t.id::text
        AND o.payload::json ->> 'event' IN ('agent_task.completed', 'agent_task.failed', 'agent_task.cancelled')) AS ended,
    (SELECT coalesce(json_agg(json_build_object('no', s.step_no, 'kind', s.kind, 'status', s.status,
        'tool', s.request ->> 'tool', 'child', s.result ->> 'child_task_id') ORDER BY s.step_no), '[]')
      FROM agents.task_steps s WHERE s.company_id = t.company_id AND s.task_id = t.id) AS steps,
    (SELECT coalesce(json_agg(json_build_object('type', e.type, 'no', e.n)), '[]') FROM (
      SELECT type, count(*)::int AS n FROM agents.task_events
      WHERE company_id = t.company_id AND task_id = t.id GROUP BY type) e) AS events
  FROM agents.tasks t WHERE t.company_id = $1`;

export async function familyFaults(sql: Pool, companyId: number, asked: ReadonlyMap<number, Asked>): Promise<string[]> {
  const { rows } = await sql.query<FamilyRow>(FAMILIES, [companyId]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const children = rows.filter(({ parent }) => parent !== null);
  return [
    ...children.flatMap((child) => childFaults(child, byId.get(child.parent ?? ''))),
    ...twoForOneStep(children),
    ...rows.flatMap(terminalEventFaults),
    ...[...asked.values()].flatMap((family) => outcomeFaults(family, byId.get(family.taskId))),
  ];
}

function childFaults(child: FamilyRow, parent: FamilyRow | undefined): string[] {
  const name = `child ${child.id}`;
  if (!parent) return [`${name} has no parent`];
  const [childEnd = Infinity, parentEnd = 0] = [child.ended[0], parent.ended[0]];
  if (parent.status === 'COMPLETED' && parentEnd < childEnd) return [`parent ${parent.id} completed before ${name}`];
  if (parent.status === 'CANCELLED' && child.completed_at > parent.completed_at + 2000)
    return [`${name} ran for ${child.completed_at - parent.completed_at} ms after its parent was cancelled`];
  return [];
}

function twoForOneStep(children: FamilyRow[]): string[] {
  const seen = new Set<string>();
  return children.flatMap(({ parent, parent_step }) => {
    const step = `${parent}/${parent_step}`;
    if (seen.has(step)) return [`step ${step} has two children`];
    seen.add(step);
    return [];
  });
}

function terminalEventFaults({ id, steps, events }: FamilyRow): string[] {
  const count = (type: string): number => events.find((event) => event.type === type)?.no ?? 0;
  const acted = steps.filter(({ kind, child }) => kind === 'action' && child === null).length;
  const asked = steps.filter(({ child }) => child !== null).length;
  const faults: string[] = [];
  if (count('action.completed') !== acted)
    faults.push(`task ${id} has ${acted} actions and ${count('action.completed')} events of them`);
  if (count('subagent.completed') !== asked)
    faults.push(`task ${id} has called ${asked} sub-agents and has ${count('subagent.completed')} events of them`);
  return faults;
}

const PARENT_TOOLS = 'Child_desk,look_up,order';

function outcomeFaults({ at, stopped, cancelled, secret, taskId }: Asked, row: FamilyRow | undefined): string[] {
  if (!row) return [];
  const name = `task ${taskId} (number ${at})`;
  if (stopped && row.status !== 'CANCELLED') return [`${name} was cancelled with 200 and is ${row.status}`];
  if (row.status === 'CANCELLED') return cancelled ? [] : [`${name} is CANCELLED without a request`];
  if (row.status === 'FAILED')
    return secret !== null && row.error_code === 'secrets_unavailable' ? [] : [`${name} FAILED: ${row.error_code}`];
  const done = row.steps.filter(({ kind }) => kind === 'action');
  const tools = done.map(({ tool }) => tool).sort();
  if (tools.join() !== PARENT_TOOLS) return [`${name} is COMPLETED and has done ${tools.join()}`];
  return done.filter(({ status }) => status !== 'SUCCESS').map(({ tool, status }) => `${tool} of ${name}: ${status}`);
}
