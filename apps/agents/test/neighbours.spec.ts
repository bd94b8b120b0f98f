import { routing, type RoutingCondition } from '@signalbox/contracts';
import { type TaskCompany, TaskWorld } from './task-world.js';

let outside: TaskWorld;
let attacker: TaskCompany;
let other: TaskCompany;
beforeAll(async () => {
  outside = await TaskWorld.start();
  [attacker, other] = [await outside.company(), await outside.company()];
}, 60_000);
afterAll(() => outside.stop());

const api = routing.endpoints;
const CALLS = 60;
/** On a busy machine a shorter delay says nothing. One attack alone held the service for ten seconds and more. */
const FLOOR_MS = 3_000;

async function ruled(company: TaskCompany, conditions: Partial<RoutingCondition>[]): Promise<number> {
  const { id } = await company.world.agent({ agent_name: `ruled ${Math.random()}`, model: 'm' });
  const rule = {
    agent_id: id,
    label: 'rule',
    conditions: conditions.map((each) => ({
      target_type: 'message' as const,
      operator: 'contains' as const,
      enabled: true,
      ...each,
    })),
    route: { type: 'none' as const },
    enabled: true,
  };
  await outside.platform.bus.call(api.createRoutingRule, rule, company.world.caller());
  return id;
}

const route = (company: TaskCompany, agent_id: number, content: string) =>
  outside.platform.bus.call(
    api.testRouting,
    { agent_id, messages: [{ role: 'user', content }], state: {} },
    company.world.caller(),
  );

/** Letters in no order: the states that a pattern can be in do not repeat. */
function letters(length: number): string {
  let state = 1;
  const next = (): string => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 16) & 1 ? 'a' : 'b';
  };
  return Array.from({ length }, next).join('');
}

/** What each of so many ordinary calls took, the slow end of it. */
async function slowest(agentId: number): Promise<number> {
  const took: number[] = [];
  for (let count = 0; count < CALLS; count += 1) {
    const began = performance.now();
    await other.world.get(agentId);
    expect((await route(other, agentId, 'where is my order 42?')).matched_rule_id).not.toBeNull();
    took.push(performance.now() - began);
  }
  return Math.max(...took);
}

it('a company that attacks every evaluator at once does not slow another one down', async () => {
  const A = 'a'.repeat(900_000);
  const agentId = await ruled(other, [{ value: 'ORDER' }, { operator: 'matches', value: 'order \\d{2}' }]);
  await slowest(agentId);
  const before = await slowest(agentId);

  const liked = await ruled(attacker, [{ operator: 'like', value: `%${'a'.repeat(19_000)}b%` }]);
  const contained = await ruled(attacker, [{ value: `b${'a'.repeat(19_000)}` }]);
  const matched = await ruled(attacker, [{ operator: 'matches', value: '[ab]*a[ab]{900}c' }]);
  const names = ['a', 'b', 'c', 'd'];
  const headers = Object.fromEntries(names.map((name) => [`x-${name}`, `{{secrets.${name}}}`]));
  const secretive = await attacker.agent({}, { headers });
  const secrets = Object.fromEntries(names.map((name) => [name, name.repeat(8_000)]));
  outside.target.answerWith(() => ({ body: 'a'.repeat(4_900_000) }));
  outside.provider.answerWith(({ messages, response_format }) =>
    response_format
      ? JSON.stringify(`${'a'.repeat(40)}!`)
      : messages.at(-1)?.role === 'tool'
        ? 'done'
        : { toolCalls: [{ name: 'look_up', arguments: { id: '1' } }] },
  );
  const slow = (n: number) => ({
    response_format: {
      type: 'json_schema' as const,
      json_schema: { name: 'n', schema: { type: 'string', pattern: `^(?=(a+)+$)b${n}` } },
    },
  });
  const long = `c${letters(400_000)}`;
  const statuses = new Map<string, number>();
  let attacking = true;
  const attack = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    while (attacking) {
      await work().catch(() => undefined);
      statuses.set(name, (statuses.get(name) ?? 0) + 1);
    }
  };
  const burning = Array.from({ length: 60 }, (_, n) =>
    attacker.invoke(secretive, { ...slow(n), wait: false, secrets }).catch(() => undefined),
  );
  const attacks = [
    attack('like', () => route(attacker, liked, A)),
    attack('contains', () => route(attacker, contained, A)),
    attack('matches', () => route(attacker, matched, long)),
    attack('scrubber', () => attacker.invoke(secretive, { secrets })),
  ];
  const during = await slowest(agentId);
  attacking = false;
  await Promise.all([...attacks, ...burning]);
  expect(during).toBeLessThan(Math.max(2 * before, FLOOR_MS));
  expect([...statuses.keys()].sort()).toEqual(['contains', 'like', 'matches', 'scrubber']);
}, 180_000);
