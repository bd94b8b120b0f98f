import type { Pool } from 'pg';
import type { TargetCall } from '../../fakes/http-target.js';
import type { Asked } from './plan.js';
import { numberIn } from './callback-sender.js';

const KEY = /^([0-9a-f-]{36})\/(\d+)$/;

interface StepCall {
  path: string;
  task: number;
  keys: Set<string>;
}

/** Calls whose idempotency keys would repeat a step at their target, or that lack their secret. */
export async function outgoingCallFaults(
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
  const stepCalls = new Map<string, StepCall>();
  const faults: string[] = [];
  for (const call of calls) {
    const task = numberIn(call.body.toString());
    const stepCall = stepCalls.get(`${call.path} ${task}`) ?? { path: call.path, task, keys: new Set<string>() };
    stepCalls.set(`${call.path} ${task}`, stepCall);
    stepCall.keys.add(String(call.headers['idempotency-key']));
    faults.push(...secretFaults(call, asked.get(task)));
  }
  return [
    ...faults,
    ...[...stepCalls.values()].flatMap((stepCall) => keyFaults(stepCall, parentOf, asked.get(stepCall.task))),
  ];
}

function secretFaults({ path, headers }: TargetCall, family: Asked | undefined): string[] {
  const wanted = path.startsWith('/secret/') ? `Bearer ${family?.secret ?? 'unknown'}` : undefined;
  return headers.authorization === wanted ? [] : [`a call to ${path} carried ${headers.authorization ?? 'no secret'}`];
}

function keyFaults({ path, task, keys }: StepCall, parentOf: Map<string, string | null>, family?: Asked): string[] {
  const name = `${path} of task number ${task}`;
  const [key = ''] = keys;
  if (keys.size !== 1) return [`${name} was sent under ${keys.size} keys: ${[...keys].join(', ')}`];
  const owner = KEY.exec(key)?.[1] ?? '';
  if (!parentOf.has(owner)) return [`${name} was sent under ${key}, which names no task`];
  const root = parentOf.get(owner) ?? owner;
  return root === family?.taskId ? [] : [`${name} was sent under the key of task ${root}`];
}
