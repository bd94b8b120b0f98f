import { routing } from '@signalbox/contracts';
import { type TaskCompany, TaskWorld } from './task-world.js';

let outside: TaskWorld;
let company: TaskCompany;
beforeAll(async () => {
  outside = await TaskWorld.start();
  company = await outside.company();
}, 60_000);
afterAll(() => outside.stop());

/** Letters in no order: the states that a pattern can be in do not repeat. */
function letters(length: number): string {
  let state = 1;
  const next = (): string => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 16) & 1 ? 'a' : 'b';
  };
  return Array.from({ length }, next).join('');
}

it('a task whose routing rule takes too long ends as rule_too_costly, and no model is asked', async () => {
  const { id } = await company.world.agent({ agent_name: 'ruled', model: 'm' });
  const condition = { target_type: 'message' as const, operator: 'matches' as const, enabled: true };
  const rule = {
    agent_id: id,
    label: 'slow',
    conditions: [{ ...condition, value: '[ab]*a[ab]{900}c' }],
    route: { type: 'none' as const },
    enabled: true,
  };
  await outside.platform.bus.call(routing.endpoints.createRoutingRule, rule, company.world.caller());
  const error = await company.invoke(id, { message: `c${letters(400_000)}` }).then(
    () => null,
    (thrown: unknown) => thrown as { status: number; message: string; extras: { headers: Record<string, string> } },
  );
  expect(error).toMatchObject({ status: 422, extras: { code: 'rule_too_costly' } });
  expect(error!.message).toMatch(
    /^condition 0 of the routing rule 'slow' cannot be evaluated: the test 'matches' takes/,
  );
  const task = await company.task(id, error!.extras.headers['X-Service-Task-Id'] ?? '');
  expect(task).toMatchObject({ status: 'FAILED', failure_class: 'internal', error_code: 'rule_too_costly' });
  expect(outside.provider.calls).toEqual([]);
}, 60_000);
