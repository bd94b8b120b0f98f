import { randomUUID } from 'node:crypto';
import {
  applications,
  completions,
  emptyMonitorConfig,
  intents,
  type MonitorConfig,
  models,
  monitors,
  monitorTargets,
  monitorVersions,
  providers,
} from '@signalbox/contracts';
import { CHAOS_LEASE } from '../chaos-platform.js';
import { type ModelProvider, startModelProvider } from '../../fakes/model-provider.js';
import { seededRandom } from '../../fakes/seeded-random.js';
import { atMost, Platform } from '../../platform/platform.js';
import { repeatMessages } from '../duplicates.js';
import { FaultInjector, type InjectedFault, type Victim } from '../fault-injector.js';
import { monitorFaults, openJudgements } from './checks.js';

export interface MonitorChaos {
  seed: number;
  /** Recorded calls that two monitors judge. */
  sources: number;
  kills: number;
  victims?: readonly Victim[];
  log?: (line: string) => void;
}

export interface MonitorChaosReport {
  seed: number;
  faults: string[];
  injected: InjectedFault[];
  settledMs: number;
  modelCalls: number;
}

const VICTIMS = ['accounts', 'traffic', 'agents', 'monitors', 'monitors 2', 'nats', 'postgres'];
const BATCH = 10;
const PACE_MS = 4000;
const SETTLE_MS = 120_000;
const RETRY_MS = 200;

export async function runMonitorChaos(chaos: MonitorChaos): Promise<MonitorChaosReport> {
  const model = await startModelProvider({ script: () => '{"verdict":"PASS"}', latencyMs: [20, 50], seed: chaos.seed });
  const platform = await Platform.start({
    services: ['accounts', 'traffic', 'agents', 'monitors'],
    env: { EGRESS_ALLOW: '127.0.0.1/32', ...CHAOS_LEASE },
    durable: true,
  });
  try {
    await platform.startService('monitors', 'monitors 2');
    const { companyId } = await platform.company();
    const monitorIds = await watchIntent(platform, companyId, model);
    const { injected, crashes, settledMs } = await injectFaults(platform, companyId, chaos, monitorIds.length);
    await repeatMessages(platform, 2, seededRandom(chaos.seed));
    const faults = [...crashes, ...(await monitorFaults(platform.sql, companyId, monitorIds))];
    return { seed: chaos.seed, faults, injected, settledMs, modelCalls: model.calls.length };
  } finally {
    await platform.stop();
    await model.close();
  }
}

async function watchIntent(platform: Platform, companyId: number, model: ModelProvider): Promise<number[]> {
  const caller = () => platform.caller(companyId);
  const application = { application_name: 'Shop', state: 'ENABLED' as const, meta: {} };
  const { id: application_id } = await platform.bus.call(
    applications.endpoints.createApplication,
    application,
    caller(),
  );
  const intent = { application_id, action_type: 'ask', config: {}, meta: {} };
  const { id: target_id } = await platform.bus.call(intents.endpoints.createIntent, intent, caller());
  const runners = [
    { resource_type: 'direct' as const, input: {} },
    {
      resource_type: 'model' as const,
      resource_id: await judgeModel(platform, companyId, model),
      input: { prompt: 'polite' },
    },
  ];
  const ids: number[] = [];
  for (const runner of runners)
    ids.push(await watch(platform, companyId, target_id, { ...emptyMonitorConfig(), runner }));
  return ids;
}

async function judgeModel(platform: Platform, companyId: number, { url: base_url }: ModelProvider): Promise<number> {
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
  const body = { model_name: 'judge', provider_id: provider.id, ...able };
  return (await platform.bus.call(models.endpoints.createModel, body, platform.caller(companyId))).id;
}

async function watch(platform: Platform, companyId: number, target_id: number, config: MonitorConfig): Promise<number> {
  const caller = () => platform.caller(companyId);
  const name = `by ${config.runner?.resource_type ?? 'nothing'}`;
  const body = { name, description: '', config, meta: {}, alert_rules: [] };
  const { id: monitor_id } = await platform.bus.call(monitors.endpoints.createMonitor, body, caller());
  const target = { monitor_id, target_type: 'intent', target_id, sample_rate: 100, enabled: true } as const;
  await platform.bus.call(monitorTargets.endpoints.attachMonitorTarget, target, caller());
  const publish = { monitor_id, increment: 'minor', version_notes: '' } as const;
  await platform.bus.call(monitorVersions.endpoints.publishVersion, publish, caller());
  await platform.bus.call(monitors.endpoints.activateMonitor, { monitor_id }, caller());
  return monitor_id;
}

/** Until the platform has accepted the batch; its ids make repeats idempotent. */
async function record(platform: Platform, companyId: number): Promise<void> {
  const items = Array.from({ length: BATCH }, () => ({
    chat_completion_request: {
      messages: [{ role: 'user' as const, content: 'hello' }],
      model: 'recorded',
      application: 'Shop',
      intent: 'ask',
      return_evaluation: false,
      request_id: randomUUID(),
    },
    chat_completion_response: { choices: [{ message: { role: 'assistant' as const, content: 'yes' } }] },
  }));
  for (;;) {
    const call = platform.bus.call(completions.endpoints.storeCompletions, { items }, platform.caller(companyId));
    const stored = await call.then(
      () => true,
      () => false,
    );
    if (stored) return;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

async function injectFaults(platform: Platform, companyId: number, chaos: MonitorChaos, monitorCount: number) {
  const { kills, sources, victims = VICTIMS, log = () => undefined } = chaos;
  const injector = new FaultInjector(platform, seededRandom(chaos.seed));
  const restarts = setInterval(() => void injector.restartCrashed().catch(() => undefined), 500);
  let recorded = 0;
  let killed = 0;
  const recording = (async () => {
    while (recorded < sources) {
      // Paced to last as long as the kills: a completed backlog proves nothing.
      const due = () => killed >= kills || recorded <= (sources * (killed + 1)) / (kills + 1);
      await atMost(PACE_MS, due);
      await record(platform, companyId);
      recorded += BATCH;
    }
  })();
  try {
    for (; killed < kills; killed++) {
      const share = (sources * killed) / (kills + 1);
      await atMost(PACE_MS, () => recorded >= share);
      await injector.killRandom(victims, 1, [100, 400]);
      if (killed === Math.floor(kills / 2)) await injector.deleteBusStore();
    }
    await recording;
    log(`${injector.injected.length} faults, ${recorded} sources recorded`);
    const began = Date.now();
    const settled = async () => (await openJudgements(platform.sql, companyId, recorded * monitorCount)) === 0;
    await atMost(SETTLE_MS, settled);
    const settledMs = Date.now() - began;
    log(`settled after ${settledMs} ms`);
    return { injected: injector.injected, crashes: injector.crashes, settledMs };
  } finally {
    clearInterval(restarts);
  }
}
