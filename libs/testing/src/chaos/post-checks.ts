import type { Pool } from 'pg';
import type { TargetCall } from '../fakes/http-target.js';
import type { Asked } from './family-plan.js';
import { numberIn } from './outside-caller.js';

const KEY = /^([0-9a-f-]{36})\/(\d+)$/;

interface Deed {
  path: string;
  task: number;
  keys: Set<string>;
}

/** Outgoing calls whose keys would make one step two at their target, or that left without their secret. */
export async function postFaults(
  sql: Pool,
  companyId: number,
  calls: readonly TargetCall[],
  asked: ReadonlyMap<number, Asked>,
): Promise<string[]> {
  const { rows } = await sql.query<{ id: string; parent: string | null }>(
    'SELECT id, parent_task_id AS parent FROM agents.tasks WHERE company_id = $1',
    [companyId],
  );
  const parentOf = new Map(rows.map(({ id, parent }) => [id, parent]));
  const deeds = new Map<string, Deed>();
  const faults: string[] = [];
  for (const call of calls) {
    const task = numberIn(call.body.toString());
    const deed = deeds.get(`${call.path} ${task}`) ?? { path: call.path, task, keys: new Set<string>() };
    deeds.set(`${call.path} ${task}`, deed);
    deed.keys.add(String(call.headers['idempotency-key']));
    faults.push(...secretFaults(call, asked.get(task)));
  }
  return [...faults, ...[...deeds.values()].flatMap((deed) => keyFaults(deed, parentOf, asked.get(deed.task)))];
}

function secretFaults({ path, headers }: TargetCall, family: Asked | undefined): string[] {
  const wanted = path.startsWith('/secret/') ? `Bearer ${family?.secret ?? 'unknown'}` : undefined;
  return headers.authorization === wanted ? [] : [`a call to ${path} showed ${headers.authorization ?? 'no secret'}`];
}

function keyFaults({ path, task, keys }: Deed, parentOf: Map<string, string | null>, family?: Asked): string[] {
  const name = `${path} of task number ${task}`;
  const [key = ''] = keys;
  if (keys.size !== 1) return [`${name} went out under ${keys.size} keys: ${[...keys].join(', ')}`];
  const owner = KEY.exec(key)?.[1] ?? '';
  if (!parentOf.has(owner)) return [`${name} went out under ${key}, which names no task`];
  const root = parentOf.get(owner) ?? owner;
  return root === family?.taskId ? [] : [`${name} went out under the key of task ${root}`];
}
