import { models, providers } from '@signalbox/contracts';
import { Door } from '../conformance/door.js';
import { ConformanceFixtures } from '../conformance/world.js';
import { eventually, Platform } from '../platform/platform.js';
import { type HttpTarget, startHttpTarget } from '../fakes/http-target.js';
import { type ModelProvider, startModelProvider } from '../fakes/model-provider.js';
import type { ModelScript } from '../fakes/model-provider.js';
import { seededRandom } from '../fakes/seeded-random.js';
import { repeatMessages } from './duplicates.js';
import { History } from './history.js';
import { type Fault, Killer, type Victim } from './killer.js';
import { unfinished } from './task-checks.js';

/** How rough a run is. */
export interface TaskChaos {
  seed: number;
  tasks: number;
  kills: number;
  /** Who may be killed; everybody by default. */
  victims?: readonly Victim[];
  /** Also freeze one of two agents processes for longer than its lease. */
  freezeMs?: number;
  say?: (line: string) => void;
}

/** What a run came to. */
export interface TaskChaosReport {
  seed: number;
  faults: string[];
  blows: Fault[];
  /** Milliseconds from the later one of the last blow and the last acceptance until the last task had ended. */
  settledMs: number;
  statuses: Record<number, number>;
  outcomes: Record<string, number>;
  longestCallMs: number;
  modelCalls: number;
  targetCalls: number;
  /** What a scenario counts beside. */
  counts: Record<string, number>;
}

/** Everything a scenario plays with. */
export interface Transform {
  platform: Platform;
  companyId: number;
  key: string;
  door: Door;
  world: ConformanceFixtures;
  history: History;
  model: ModelProvider;
  target: HttpTarget;
  /** Name of the model that the provider plays. */
  modelName: string;
  seed: number;
}

/** What is asked of the platform while it is beaten, and what is looked at afterwards. */
export interface Scenario {
  model: ModelScript;
  /** Makes what the tasks need; then tasks are started by number. */
  open(stage: Transform): Promise<Act>;
}

/** A scenario on its stage. */
export interface Act {
  /** Asks for task `at` until the platform has accepted it. */
  start(at: number): Promise<void>;
  /** Ends what the scenario does by itself. */
  rest?(): Promise<void>;
  faults(): Promise<string[]>;
  counts?(): Record<string, number>;
}

const VICTIMS = ['gateway', 'accounts', 'traffic', 'agents', 'agents 2', 'nats', 'postgres'];
/** Recovery promised after the last blow. */
export const SETTLE_MS = 60_000;
/** The longest a blow waits until its share of the tasks has been accepted. */
const PACE_MS = 3000;
const LOOK_MS = 50;
/** Clients at once. */
const LANES = 12;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Plays a scenario while processes are killed, the bus forgets and messages repeat; answers what broke. */
export async function runScenario(chaos: TaskChaos, scenario: Scenario): Promise<TaskChaosReport> {
  const [model, target] = await Promise.all([
    startModelProvider({ script: scenario.model, latencyMs: [20, 50], seed: chaos.seed }),
    startHttpTarget(),
  ]);
  const platform = await Platform.start({
    services: ['gateway', 'accounts', 'traffic', 'agents'],
    // A call that died holds its idempotency key until its deadline; clients of this run wait shorter.
    env: { EGRESS_ALLOW: '127.0.0.1/32', INVOKE_TIMEOUT_SECONDS: '5' },
    durable: true,
  });
  try {
    await platform.startService('agents', 'agents 2');
    const stage = await stageOn(platform, model, target, chaos.seed);
    const act = await scenario.open(stage);
    const { blows, deaths, settledMs } = await beat(chaos, stage, act);
    return {
      seed: chaos.seed,
      faults: [...deaths, ...(await act.faults())],
      blows,
      settledMs,
      statuses: stage.history.statuses(),
      outcomes: await outcomesOf(stage),
      longestCallMs: stage.history.longest(),
      modelCalls: model.calls.length,
      targetCalls: target.calls.length,
      counts: act.counts?.() ?? {},
    };
  } finally {
    await platform.stop();
    await Promise.all([model.close(), target.close()]);
  }
}

async function stageOn(platform: Platform, model: ModelProvider, target: HttpTarget, seed: number): Promise<Transform> {
  const { companyId, key } = await platform.company();
  const door = new Door(platform.baseUrl);
  const world = new ConformanceFixtures(door, companyId, key);
  const provider = await world.call(providers.endpoints.createProvider, {
    provider_name: 'played',
    kind: 'openai_compatible',
    base_url: model.url,
    api_key: 'played',
  });
  const made = await world.call(models.endpoints.createModel, { model_name: 'played', provider_id: provider.id });
  const modelName = String(made.model_name);
  return { platform, companyId, key, door, world, history: new History(), model, target, modelName, seed };
}

async function beat(chaos: TaskChaos, { platform, companyId }: Transform, act: Act) {
  const say = chaos.say ?? (() => undefined);
  const random = seededRandom(chaos.seed);
  const killer = new Killer(platform, random);
  const keeper = setInterval(() => void killer.raise().catch(() => undefined), 500);
  let accepted = 0;
  const inviting = startAll(chaos.tasks, (at) => act.start(at).then(() => void accepted++));
  const spree = async (from: number, to: number): Promise<void> => {
    for (let blow = from; blow < to; blow++) {
      // Blows hit tasks under way: on a slow machine they wait a little for them.
      const due = (chaos.tasks * blow) / chaos.kills;
      await eventually('tasks are under way', () => accepted >= due, PACE_MS).catch(() => undefined);
      await killer.spree(chaos.victims ?? VICTIMS, 1, [100, 600]);
    }
  };
  const half = Math.ceil(chaos.kills / 2);
  await spree(0, half);
  say(`${half} kills, ${accepted} tasks accepted`);
  await killer.forgetBus();
  if (chaos.freezeMs) await killer.freeze('agents', chaos.freezeMs);
  await spree(half, chaos.kills);
  await inviting;
  say(`${killer.blows.length} blows, all ${accepted} tasks accepted`);
  const settledMs = await settle(() => unfinished(platform.sql, companyId).then((left) => left === 0));
  say(`settled after ${settledMs} ms`);
  await act.rest?.();
  await repeatMessages(platform, 2, random).catch(() => 0);
  await sleep(1000);
  clearInterval(keeper);
  return { blows: killer.blows, deaths: killer.deaths, settledMs };
}

/**
 * Milliseconds until everything has ended, at most the time that is promised. A pause in which this process did not
 * run either counts as one look: a machine that stands still proves nothing.
 */
async function settle(ended: () => Promise<boolean>): Promise<number> {
  let passed = 0;
  for (let last = Date.now(); passed < SETTLE_MS && !(await ended()); last = Date.now()) {
    await sleep(LOOK_MS);
    passed += Math.min(Date.now() - last, 10 * LOOK_MS);
  }
  return passed;
}

async function outcomesOf({ platform, companyId }: Transform): Promise<Record<string, number>> {
  const { rows } = await platform.sql.query<{ status: string; n: number }>(
    `SELECT concat_ws(': ', status, error_code, left(error_message, 200)) AS status, count(*)::int AS n
     FROM agents.tasks WHERE company_id = $1 AND parent_task_id IS NULL GROUP BY 1`,
    [companyId],
  );
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
}

/** Starts tasks a few at a time, so that they spread over the whole spree. */
async function startAll(count: number, start: (at: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      await start(next++);
      await sleep(50);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}
