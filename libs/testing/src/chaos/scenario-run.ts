import { models, providers } from '@signalbox/contracts';
import { RawClient } from '../conformance/raw-client.js';
import { ConformanceFixtures } from '../conformance/fixtures.js';
import { atMost, type Platform } from '../platform/platform.js';
import { startChaosPlatform } from './chaos-platform.js';
import { type HttpTarget, startHttpTarget } from '../fakes/http-target.js';
import { type ModelProvider, startModelProvider } from '../fakes/model-provider.js';
import type { ModelScript } from '../fakes/model-provider.js';
import { seededRandom } from '../fakes/seeded-random.js';
import { repeatMessages } from './duplicates.js';
import { History } from './history.js';
import { type InjectedFault, FaultInjector, type Victim } from './fault-injector.js';
import { TASK_TABLE, type RunTable, unfinished } from './run-table.js';

export interface TaskChaos {
  seed: number;
  tasks: number;
  kills: number;
  victims?: readonly Victim[];
  /** Freezes one of two agents processes for longer than its lease. */
  freezeMs?: number;
  /** Of `startChaosPlatform`, shared by several runs; by default each run starts its own. */
  platform?: Platform;
  log?: (line: string) => void;
}

export interface TaskChaosReport {
  seed: number;
  faults: string[];
  injected: InjectedFault[];
  settledMs: number;
  statuses: Record<number, number>;
  outcomes: Record<string, number>;
  longestCallMs: number;
  modelCalls: number;
  targetCalls: number;
  counts: Record<string, number>;
}

export interface ScenarioContext {
  platform: Platform;
  companyId: number;
  key: string;
  rawClient: RawClient;
  fixtures: ConformanceFixtures;
  history: History;
  model: ModelProvider;
  target: HttpTarget;
  modelName: string;
  seed: number;
}

export interface Scenario {
  model: ModelScript;
  runs?: RunTable;
  start?(): Promise<Platform>;
  victims?: readonly Victim[];
  prepare(context: ScenarioContext): Promise<RunningScenario>;
}

export interface RunningScenario {
  start(at: number): Promise<void>;
  finish?(): Promise<void>;
  faults(): Promise<string[]>;
  counts?(): Record<string, number>;
}

const VICTIMS = ['gateway', 'accounts', 'traffic', 'agents', 'agents 2', 'nats', 'postgres'];
/** Promised recovery time after the last fault. */
export const SETTLE_MS = 60_000;
const PACE_MS = 3000;
const POLL_MS = 50;
const CLIENTS = 12;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export async function runScenario(chaos: TaskChaos, scenario: Scenario): Promise<TaskChaosReport> {
  const [model, target] = await Promise.all([
    startModelProvider({ script: scenario.model, latencyMs: [20, 50], seed: chaos.seed }),
    startHttpTarget(),
  ]);
  const { runs: table = TASK_TABLE } = scenario;
  const platform = chaos.platform ?? (await (scenario.start ?? startChaosPlatform)());
  try {
    const context = await contextOn(platform, model, target, chaos.seed);
    const running = await scenario.prepare(context);
    const { injected, crashes, settledMs } = await injectFaults(
      { victims: scenario.victims ?? VICTIMS, ...chaos },
      context,
      running,
      table,
    );
    return {
      seed: chaos.seed,
      faults: [...crashes, ...(await running.faults())],
      injected,
      settledMs,
      statuses: context.history.statuses(),
      outcomes: await outcomesOf(context, table),
      longestCallMs: context.history.longest(),
      modelCalls: model.calls.length,
      targetCalls: target.calls.length,
      counts: running.counts?.() ?? {},
    };
  } finally {
    if (!chaos.platform) await platform.stop();
    await Promise.all([model.close(), target.close()]);
  }
}

async function contextOn(
  platform: Platform,
  model: ModelProvider,
  target: HttpTarget,
  seed: number,
): Promise<ScenarioContext> {
  const { companyId, key } = await platform.company();
  const rawClient = new RawClient(platform.baseUrl);
  const fixtures = new ConformanceFixtures(rawClient, companyId, key);
  const provider = await fixtures.call(providers.endpoints.createProvider, {
    provider_name: 'played',
    kind: 'openai_compatible',
    base_url: model.url,
    api_key: 'played',
  });
  const created = await fixtures.call(models.endpoints.createModel, { model_name: 'played', provider_id: provider.id });
  const modelName = String(created.model_name);
  return { platform, companyId, key, rawClient, fixtures, history: new History(), model, target, modelName, seed };
}

async function injectFaults(
  chaos: TaskChaos & { victims: readonly Victim[] },
  { platform, companyId }: ScenarioContext,
  running: RunningScenario,
  table: RunTable,
) {
  const log = chaos.log ?? (() => undefined);
  const random = seededRandom(chaos.seed);
  const injector = new FaultInjector(platform, random);
  const restarts = setInterval(() => void injector.restartCrashed().catch(() => undefined), 500);
  let accepted = 0;
  const submitting = startAll(chaos.tasks, (at) => running.start(at).then(() => void accepted++));
  const killRandom = async (from: number, to: number): Promise<void> => {
    for (let blow = from; blow < to; blow++) {
      // Faults hit running tasks, so they wait a little for them on a slow machine.
      const due = (chaos.tasks * blow) / chaos.kills;
      await atMost(PACE_MS, () => accepted >= due);
      await injector.killRandom(chaos.victims, 1, [100, 600]);
    }
  };
  const half = Math.ceil(chaos.kills / 2);
  await killRandom(0, half);
  log(`${half} kills, ${accepted} tasks accepted`);
  await injector.deleteBusStore();
  if (chaos.freezeMs) await injector.freeze('agents', chaos.freezeMs);
  await killRandom(half, chaos.kills);
  await submitting;
  log(`${injector.injected.length} faults, all ${accepted} tasks accepted`);
  const settledMs = await waitUntilEnded(() => unfinished(platform.sql, companyId, table).then((left) => left === 0));
  log(`settled after ${settledMs} ms`);
  await running.finish?.();
  await repeatMessages(platform, 2, random).catch(() => 0);
  await sleep(1000);
  clearInterval(restarts);
  return { injected: injector.injected, crashes: injector.crashes, settledMs };
}

/** At most the promised time. A pause of this process counts as one poll: a paused machine proves nothing. */
async function waitUntilEnded(ended: () => Promise<boolean>): Promise<number> {
  let passed = 0;
  for (let last = Date.now(); passed < SETTLE_MS && !(await ended()); last = Date.now()) {
    await sleep(POLL_MS);
    passed += Math.min(Date.now() - last, 10 * POLL_MS);
  }
  return passed;
}

async function outcomesOf(
  { platform, companyId }: ScenarioContext,
  { name, parent }: RunTable,
): Promise<Record<string, number>> {
  const { rows } = await platform.sql.query<{ status: string; n: number }>(
    `SELECT concat_ws(': ', status, error_code, left(error_message, 200)) AS status, count(*)::int AS n
     FROM ${name} WHERE company_id = $1 AND ${parent} IS NULL GROUP BY 1`,
    [companyId],
  );
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
}

async function startAll(count: number, start: (at: number) => Promise<void>): Promise<void> {
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < count) {
      await start(next++);
      await sleep(50);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}
