import { type ApiError, routing, type RoutingCondition } from '@signalbox/contracts';
import { freePort } from '@signalbox/servers';
import { timeScale } from '@signalbox/testing';
import { type TaskCompany, TaskWorld } from '../task-world.js';

let outside: TaskWorld;
let attacker: TaskCompany;
let other: TaskCompany;
let loops: { agents: EventLoop; accounts: EventLoop };
beforeAll(async () => {
  outside = await TaskWorld.start();
  loops = { agents: await EventLoop.of('agents'), accounts: await EventLoop.of('accounts') };
  [attacker, other] = [await outside.company(), await outside.company()];
}, 60_000);
afterAll(() => outside.stop());

const api = routing.endpoints;
const CALLS = 60;
/** Evaluations of the attacker that wait at any time. A queue that is not fair serves all of them first. */
const WAITING = 6;
/** Evaluations of the attacker that may end during half of the calls of the other company. */
const MAX_OVERTAKEN = 1;
/** What the event loop of the service may stand still. One attack alone held it for ten seconds and more. */
const MAX_STALL_MS = 1000;
/** The event loop of a service without an attack stands still for as long as the machine lets it. */
const STALLS_OF_MACHINE = 10;

/** The longest delay of the event loop of a service, as its own metrics have it. */
class EventLoop {
  private constructor(private readonly port: number) {}

  /** Starts the service again, with metrics on a separate port. */
  static async of(service: string): Promise<EventLoop> {
    const port = await freePort();
    await outside.platform.service(service).kill('SIGTERM');
    await outside.platform.startService(service, service, { HEALTH_PORT: String(port) });
    return new EventLoop(port);
  }

  /** Since the last look. */
  async longestStallMs(): Promise<number> {
    const metrics = await (await fetch(`http://127.0.0.1:${this.port}/metrics`)).text();
    return Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(metrics)?.[1]) * 1000;
  }
}

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

/** The call was admitted, and its evaluation ended by itself or by its limit of time, or its task tries once more. */
const EVALUATED = /^(200|422 .*(takes longer than|takes too long).*|504 task .* still runs)$/;

/** How a call ended, and for one that was refused why. */
const outcome = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => '200',
    (error: ApiError) => `${error.status} ${error.message}`,
  );

/** Calls of the attacker that are made again and again. */
class Crowd {
  /** Calls whose evaluation has ended. */
  evaluated = 0;
  private attacking = true;
  private readonly running: Promise<void>[] = [];

  keep(times: number, attack: () => Promise<unknown>): void {
    const repeat = async (): Promise<void> => {
      while (this.attacking) if (EVALUATED.test(await outcome(attack()))) this.evaluated += 1;
    };
    this.running.push(...Array.from({ length: times }, repeat));
  }

  async leave(): Promise<void> {
    this.attacking = false;
    await Promise.all(this.running);
  }
}

/** Makes ordinary calls, and returns how many calls of the attacker ended during each of them. */
async function overtakenBy(crowd: Crowd, agentId: number, calls: number): Promise<number[]> {
  const overtaken: number[] = [];
  for (let count = 0; count < calls; count += 1) {
    const before = crowd.evaluated;
    await other.world.get(agentId);
    expect((await route(other, agentId, `where is my order 42? ${'x'.repeat(20_000)}`)).matched_rule_id).not.toBeNull();
    overtaken.push(crowd.evaluated - before);
  }
  return overtaken;
}

it('a company that attacks every evaluator at once neither overtakes another one nor stalls the service', async () => {
  const A = 'a'.repeat(900_000);
  // Its text is long enough to be tested in a thread, as the attacks are.
  const agentId = await ruled(other, [{ value: 'ORDER' }, { operator: 'matches', value: 'order \\d{2}' }]);
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
  let schemas = 0;
  // At first longer than an evaluation waits and takes: it ends before its caller leaves.
  let patienceMs = 60_000;
  const attacks: Record<string, () => Promise<unknown>> = {
    like: () => route(attacker, liked, A),
    contains: () => route(attacker, contained, A),
    matches: () => route(attacker, matched, long),
    scrubber: () => attacker.invoke(secretive, { secrets }),
    schema: () => {
      const caller = attacker.world.caller({ deadline: Date.now() + patienceMs });
      return attacker.invoke(secretive, { ...slow(++schemas), secrets }, caller);
    },
  };
  // Alone, so that none is refused for those that wait: each is admitted and evaluated.
  for (const [name, attack] of Object.entries(attacks))
    expect([name, await outcome(attack())]).toEqual([name, expect.stringMatching(EVALUATED)]);
  patienceMs = 3000;
  const crowd = new Crowd();
  // The first evaluation starts a thread.
  await overtakenBy(crowd, agentId, 1);
  await Promise.all(Object.values(loops).map((loop) => loop.longestStallMs()));
  for (const [name, attack] of Object.entries(attacks)) crowd.keep(name === 'matches' ? WAITING : 1, attack);
  const overtaken = await overtakenBy(crowd, agentId, CALLS);
  const [stalled, machine] = [await loops.agents.longestStallMs(), await loops.accounts.longestStallMs()];
  await crowd.leave();
  // The middle one: behind a queue that is not fair every call waits, on a slow machine a few do.
  expect(overtaken.sort((one, next) => one - next)[CALLS / 2]).toBeLessThanOrEqual(MAX_OVERTAKEN);
  expect(stalled).toBeLessThan(MAX_STALL_MS * timeScale() + STALLS_OF_MACHINE * machine);
}, 180_000);
