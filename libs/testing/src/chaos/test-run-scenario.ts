import { models, providers, type ScoreSummary, testRuns, testSetItems, testSets } from '@signalbox/contracts';
import { CHAOS_LEASE } from './chaos-platform.js';
import { type HttpTarget, startHttpTarget } from '../fakes/http-target.js';
import { type ModelScript, startModelProvider } from '../fakes/model-provider.js';
import { seededRandom } from '../fakes/seeded-random.js';
import { atMost, eventually, Platform } from '../platform/platform.js';
import { FaultInjector, type InjectedFault, type Victim } from './fault-injector.js';
import { testRunFaults } from './test-run-checks.js';
import {
  answerTo,
  CONSUMER_SERVICES,
  CONSUMERS,
  effectFaults,
  judgedItem,
  type DrivenKind,
} from './test-run-consumers.js';

export interface TestRunChaos {
  seed: number;
  items: number;
  kills: number;
  consumers?: readonly DrivenKind[];
  concurrency?: number;
  victims?: readonly Victim[];
  log?: (line: string) => void;
}

export interface TestRunChaosReport {
  seed: number;
  faults: string[];
  injected: InjectedFault[];
  settledMs: number;
  summaries: ScoreSummary[];
  modelCalls: number;
  judgements: number;
}

const PACE_MS = 4000;
/** Well below the time limit of the provider. */
const HOLD_MS = 10_000;
const SETTLE_MS = 300_000;
const AT_ONCE = 16;

interface DrivenRun {
  id: number;
  kind: DrivenKind;
  isJudged: boolean;
}

/** Delays replies so that the items last as long as the kills: a run that has ended proves nothing. */
class Pace {
  killed = 0;
  private replies = 0;

  constructor(
    private readonly chaos: TestRunChaos,
    readonly total: number,
  ) {}

  /** Bounded, so that a process that is slow to return does not time replies out. */
  async next(): Promise<void> {
    const { kills } = this.chaos;
    const due = () => this.killed >= kills || this.replies < (this.total * (this.killed + 1)) / (kills + 1);
    await atMost(HOLD_MS, due);
    this.replies += 1;
  }
}

export async function runTestRunChaos(chaos: TestRunChaos): Promise<TestRunChaosReport> {
  const kinds = chaos.consumers ?? ['MODEL'];
  // An item of a model is one reply; others have an effect and a judgement each.
  const units = kinds.reduce((sum, kind) => sum + (kind === 'MODEL' ? 1 : 2), 0);
  const pace = new Pace(chaos, units * chaos.items);
  const judgements = new Map<string, number>();
  const script: ModelScript = async (request) => {
    const judged = judgedItem(request);
    if (judged !== null) judgements.set(judged, (judgements.get(judged) ?? 0) + 1);
    if (judged !== null || kinds.includes('MODEL')) await pace.next();
    return judged === null ? answerTo(request) : JSON.stringify({ verdict: 'PASS', reason: `as ${judged}` });
  };
  const [model, target] = await Promise.all([
    startModelProvider({ script, latencyMs: [20, 50], seed: chaos.seed }),
    startHttpTarget({
      script: async () => {
        await pace.next();
        return { body: '{"ok":true}', headers: { 'content-type': 'application/json' } };
      },
    }),
  ]);
  const platform = await startPlatform(kinds);
  try {
    const { companyId } = await platform.company();
    await addModel(platform, companyId, model.url);
    const runs: DrivenRun[] = [];
    for (const kind of kinds) runs.push(await startRun(platform, { companyId, kind, target, chaos }));
    const { injected, crashes, settledMs } = await injectFaults(platform, runs, chaos, pace);
    const faults = [...crashes];
    const summaries: ScoreSummary[] = [];
    for (const { id, kind } of runs) {
      const twice = [await score(platform, companyId, id), await score(platform, companyId, id)] as const;
      summaries.push(twice[0]);
      faults.push(...(await testRunFaults(platform.sql, id, chaos.items, twice)));
      faults.push(...(await effectFaults(platform.sql, { kind, items: chaos.items, companyId }, target.calls)));
    }
    for (const [item, times] of judgements) if (times > 1) faults.push(`${item} was judged ${times} times`);
    return {
      seed: chaos.seed,
      faults,
      injected,
      settledMs,
      summaries,
      modelCalls: model.calls.length,
      judgements: [...judgements.values()].reduce((sum, times) => sum + times, 0),
    };
  } finally {
    await platform.stop();
    await model.close();
    await target.close();
  }
}

async function startPlatform(kinds: readonly DrivenKind[]): Promise<Platform> {
  const platform = await Platform.start({
    services: [...new Set(kinds.flatMap((kind) => CONSUMER_SERVICES[kind].services))],
    env: { EGRESS_ALLOW: '127.0.0.1/32', ...CHAOS_LEASE },
    durable: true,
  });
  await platform.startService('test-runs', 'test-runs 2');
  if (kinds.includes('AGENT')) await platform.startService('agents', 'agents 2');
  if (kinds.includes('WORKFLOW')) {
    await platform.startService('workflows', 'workflows 2');
    await platform.startService('runner', 'runner', { TMPDIR: platform.servers.dir });
  }
  return platform;
}

async function addModel(platform: Platform, companyId: number, base_url: string): Promise<void> {
  const provider = await platform.bus.call(
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
    platform.caller(companyId),
  );
  const able = { supports_tools: true, supports_json_schema: true, trainable: false, status: 'ENABLED' } as const;
  const created = { model_name: 'played', provider_id: provider.id, ...able };
  await platform.bus.call(models.endpoints.createModel, created, platform.caller(companyId));
}

interface Started {
  companyId: number;
  kind: DrivenKind;
  target: HttpTarget;
  chaos: TestRunChaos;
}

async function startRun(platform: Platform, { companyId, kind, target, chaos }: Started): Promise<DrivenRun> {
  const call: Platform['bus']['call'] = (endpoint, input, caller) => platform.bus.call(endpoint, input, caller);
  const caller = () => platform.caller(companyId);
  const { item, criteria_ids, ...consumer } = await CONSUMERS[kind]({
    call: (endpoint, input) =>
      platform.bus.call(endpoint, input as never, caller()) as unknown as Promise<{ id: number }>,
    target,
  });
  const lists = { consumer_kinds: [], criteria_ids, tags: [], meta: {} };
  const set = { name: `Chaos ${kind}`, ...lists };
  const { id: test_set_id } = await call(testSets.endpoints.createTestSet, set, caller());
  for (let from = 0; from < chaos.items; from += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, chaos.items - from) }, (_, at) => {
        const body = { test_set_id, ...item(from + at), meta: {} };
        return call(testSetItems.endpoints.createTestSetItem, body, caller());
      }),
    );
  const { endpoints } = testRuns;
  const created = { test_set_id, ...consumer, auto_score: true, repeats: 1, meta: {} };
  const { id } = await call(endpoints.createTestRun, created, caller());
  await call(endpoints.prepareTestRun, { id }, caller());
  await call(endpoints.executeTestRun, { id, concurrency: chaos.concurrency ?? 8, secrets: {} }, caller());
  return { id, kind, isJudged: criteria_ids.length > 0 };
}

async function injectFaults(platform: Platform, runs: readonly DrivenRun[], chaos: TestRunChaos, pace: Pace) {
  const { kills, log = () => undefined } = chaos;
  const victims = chaos.victims ?? runs.flatMap(({ kind }) => CONSUMER_SERVICES[kind].victims);
  const injector = new FaultInjector(platform, seededRandom(chaos.seed));
  const restarts = setInterval(() => void injector.restartCrashed().catch(() => undefined), 500);
  const all = () => Promise.all(runs.map((run) => progress(platform, run)));
  const done = async () => (await all()).reduce((sum, each) => sum + each.done, 0);
  try {
    for (let kill = 0; kill < kills; kill++) {
      // Faults hit a run in progress, so they wait a little for it on a slow machine.
      const due = Math.floor((pace.total * kill) / (kills + 1));
      await atMost(PACE_MS, async () => (await done()) >= due);
      await injector.killRandom(victims, 1, [100, 400]);
      pace.killed = kill + 1;
      if (kill === Math.floor(kills / 2)) await injector.deleteBusStore();
    }
    log(`${injector.injected.length} faults, ${await done()} of ${pace.total} replies recorded`);
    const began = Date.now();
    const completed = async () => (await all()).every(({ status }) => status === 'COMPLETED');
    await atMost(SETTLE_MS, completed);
    const settledMs = Date.now() - began;
    log(`settled after ${settledMs} ms`);
    return { injected: injector.injected, crashes: injector.crashes, settledMs };
  } finally {
    clearInterval(restarts);
  }
}

/** Read past the services; nothing while Postgres restarts. */
async function progress(platform: Platform, { id, isJudged }: DrivenRun): Promise<{ status: string; done: number }> {
  const { rows } = await platform.sql
    .query<{ status: string; ended: number; scored: number }>(
      `SELECT r.status, (SELECT count(*)::int FROM "test-runs".run_items i
           WHERE i.run_id = r.id AND i.status IN ('COMPLETED', 'FAILED')) AS ended,
         COALESCE((SELECT c.scored FROM "test-runs".scorings c WHERE c.run_id = r.id AND c.criteria_key = ''), 0) AS scored
       FROM "test-runs".runs r WHERE r.no = $1`,
      [id],
    )
    .catch(() => ({ rows: [] }));
  const [{ status, ended, scored } = { status: '', ended: 0, scored: 0 }] = rows;
  return { status, done: ended + (isJudged ? scored : 0) };
}

const score = (platform: Platform, companyId: number, id: number): Promise<ScoreSummary> =>
  eventually('the run is scored', async () => {
    const summary = await platform.bus
      .call(testRuns.endpoints.scoreTestRun, { id }, platform.caller(companyId))
      .catch(() => undefined);
    return summary?.status === 'SCORED' ? summary : undefined;
  });
