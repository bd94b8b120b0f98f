import { models, providers, type ScoreSummary, testRuns, testSetItems, testSets } from '@signalbox/contracts';
import { CHAOS_LEASE } from './chaos-platform.js';
import { type ModelScript, startModelProvider } from '../fakes/model-provider.js';
import { seededRandom } from '../fakes/seeded-random.js';
import { eventually, Platform } from '../platform/platform.js';
import { FaultInjector, type InjectedFault, type Victim } from './fault-injector.js';
import { testRunFaults } from './test-run-checks.js';

/** Size and faults of a run. */
export interface TestRunChaos {
  seed: number;
  items: number;
  kills: number;
  /** Items executed at once. */
  concurrency?: number;
  /** Processes that may be killed; all by default. */
  victims?: readonly Victim[];
  log?: (line: string) => void;
}

/** The result of a run. */
export interface TestRunChaosReport {
  seed: number;
  faults: string[];
  injected: InjectedFault[];
  /** Milliseconds from the last fault until the run was completed. */
  settledMs: number;
  summary: ScoreSummary;
  modelCalls: number;
}

const VICTIMS = ['gateway', 'accounts', 'traffic', 'agents', 'test-runs', 'test-runs 2', 'nats', 'postgres'];
/** The longest that a fault waits for its share of the items. */
const PACE_MS = 4000;
/** Well below the time limit of the provider. */
const HOLD_MS = 10_000;
const SETTLE_MS = 120_000;
const AT_ONCE = 16;

/** Holds the replies of the model back, so that the items last as long as the kills: a run that has ended proves nothing. */
class Pace {
  killed = 0;
  private replies = 0;

  constructor(private readonly chaos: TestRunChaos) {}

  /** Resolves when the next reply is due; a process that is slow to come back holds none longer than its time limit. */
  async next(): Promise<void> {
    const { items, kills } = this.chaos;
    const due = () => this.killed >= kills || this.replies < (items * (this.killed + 1)) / (kills + 1);
    await eventually('the next reply is due', due, HOLD_MS).catch(() => undefined);
    this.replies += 1;
  }
}

/** Executes a test run while processes are killed and the bus loses its store; returns the violations. */
export async function runTestRunChaos(chaos: TestRunChaos): Promise<TestRunChaosReport> {
  const pace = new Pace(chaos);
  const script: ModelScript = async ({ messages }) => {
    await pace.next();
    return `re: ${String(messages.at(-1)?.content)}`;
  };
  const model = await startModelProvider({ script, latencyMs: [20, 50], seed: chaos.seed });
  const platform = await Platform.start({
    services: ['gateway', 'accounts', 'traffic', 'agents', 'test-runs'],
    env: { EGRESS_ALLOW: '127.0.0.1/32', ...CHAOS_LEASE },
    durable: true,
  });
  try {
    await platform.startService('test-runs', 'test-runs 2');
    const { companyId } = await platform.company();
    const id = await startRun(platform, companyId, model.url, chaos);
    const { injected, crashes, settledMs } = await injectFaults(platform, id, chaos, pace);
    const summaries = [await score(platform, companyId, id), await score(platform, companyId, id)] as const;
    const faults = [...crashes, ...(await testRunFaults(platform.sql, id, chaos.items, summaries))];
    return { seed: chaos.seed, faults, injected, settledMs, summary: summaries[0], modelCalls: model.calls.length };
  } finally {
    await platform.stop();
    await model.close();
  }
}

async function startRun(platform: Platform, companyId: number, base_url: string, chaos: TestRunChaos): Promise<number> {
  const call: Platform['bus']['call'] = (endpoint, input, caller) => platform.bus.call(endpoint, input, caller);
  const caller = () => platform.caller(companyId);
  const provider = await call(
    providers.endpoints.createProvider,
    {
      provider_name: 'played',
      kind: 'openai_compatible',
      base_url,
      api_key: 'played',
      default_headers: {},
      timeout_ms: 20_000,
      status: 'ENABLED',
    },
    caller(),
  );
  const able = { supports_tools: true, supports_json_schema: true, trainable: false, status: 'ENABLED' } as const;
  await call(models.endpoints.createModel, { model_name: 'played', provider_id: provider.id, ...able }, caller());
  const lists = { consumer_kinds: [], criteria_ids: [], tags: [], meta: {} };
  const { id: test_set_id } = await call(testSets.endpoints.createTestSet, { name: 'Chaos', ...lists }, caller());
  for (let from = 0; from < chaos.items; from += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, chaos.items - from) }, (_, at) => {
        const content = `item ${from + at}`;
        const input = { messages: [{ role: 'user' as const, content }] };
        const body = { test_set_id, input, expected_output: { text: `re: ${content}` }, meta: {} };
        return call(testSetItems.endpoints.createTestSetItem, body, caller());
      }),
    );
  const { endpoints } = testRuns;
  const consumer = { consumer_kind: 'MODEL', consumer_config: { model: 'played' } } as const;
  const { id } = await call(
    endpoints.createTestRun,
    { test_set_id, ...consumer, auto_score: true, repeats: 1, meta: {} },
    caller(),
  );
  await call(endpoints.prepareTestRun, { id }, caller());
  await call(endpoints.executeTestRun, { id, concurrency: chaos.concurrency ?? 8, secrets: {} }, caller());
  return id;
}

async function injectFaults(platform: Platform, id: number, chaos: TestRunChaos, pace: Pace) {
  const { kills, victims = VICTIMS, items, log = () => undefined } = chaos;
  const injector = new FaultInjector(platform, seededRandom(chaos.seed));
  const restarts = setInterval(() => void injector.restartCrashed().catch(() => undefined), 500);
  try {
    for (let kill = 0; kill < kills; kill++) {
      // Faults hit a run in progress: on a slow machine they wait a little for it.
      const due = Math.floor((items * kill) / (kills + 1));
      const reached = async () => ((await progress(platform, id)).ended >= due ? true : undefined);
      await eventually('items have ended', reached, PACE_MS).catch(() => undefined);
      await injector.killRandom(victims, 1, [100, 400]);
      pace.killed = kill + 1;
      if (kill === Math.floor(kills / 2)) await injector.deleteBusStore();
    }
    log(`${injector.injected.length} faults, ${(await progress(platform, id)).ended} items ended`);
    const began = Date.now();
    const completed = async () => (await progress(platform, id)).status === 'COMPLETED';
    await eventually(`run ${id} is completed`, completed, SETTLE_MS).catch(() => undefined);
    const settledMs = Date.now() - began;
    log(`settled after ${settledMs} ms`);
    return { injected: injector.injected, crashes: injector.crashes, settledMs };
  } finally {
    clearInterval(restarts);
  }
}

/** State and ended items of a run, read past the services; nothing while Postgres restarts. */
async function progress(platform: Platform, id: number): Promise<{ status: string; ended: number }> {
  const { rows } = await platform.sql
    .query<{ status: string; ended: number }>(
      `SELECT r.status, (SELECT count(*)::int FROM "test-runs".run_items i
         WHERE i.run_id = r.id AND i.status IN ('COMPLETED', 'FAILED')) AS ended FROM "test-runs".runs r WHERE r.no = $1`,
      [id],
    )
    .catch(() => ({ rows: [] }));
  return rows[0] ?? { status: '', ended: 0 };
}

const score = (platform: Platform, companyId: number, id: number): Promise<ScoreSummary> =>
  eventually('the run is scored', () =>
    platform.bus.call(testRuns.endpoints.scoreTestRun, { id }, platform.caller(companyId)).catch(() => undefined),
  );
