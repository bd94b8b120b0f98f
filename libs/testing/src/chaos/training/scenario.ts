import { augmentations, compositions, datasetFiles, datasets, finetuneRuns, intentGroups } from '@signalbox/contracts';
import { CHAOS_LEASE } from '../chaos-platform.js';
import { RawClient } from '../../conformance/raw-client.js';
import { ConformanceFixtures } from '../../conformance/fixtures.js';
import { FinetuningJobs } from '../../fakes/finetuning-jobs.js';
import { type ModelProvider, type ModelScript, startModelProvider } from '../../fakes/model-provider.js';
import { seededRandom } from '../../fakes/seeded-random.js';
import { atMost, Platform } from '../../platform/platform.js';
import { repeatMessages } from '../duplicates.js';
import { FaultInjector, type InjectedFault, type Victim } from '../fault-injector.js';
import { History } from '../history.js';
import { type RetryingClient, submitUntilAccepted } from '../retried-calls.js';
import { openRuns, trainingFaults } from './checks.js';
import { BASE, fileOf, STEPS, WRITER } from './plan.js';
import { createTrainingModels } from './models.js';

export interface TrainingChaos {
  seed: number;
  datasets: number;
  kills: number;
  victims?: readonly Victim[];
  log?: (line: string) => void;
}

export interface TrainingChaosReport {
  seed: number;
  faults: string[];
  injected: InjectedFault[];
  settledMs: number;
  statuses: Record<number, number>;
  modelCalls: number;
}

const VICTIMS = ['gateway', 'accounts', 'traffic', 'training', 'training 2', 'nats', 'postgres'];
const CLIENTS = 4;
const PACE_MS = 4000;
const SETTLE_MS = 120_000;

const writeVariation: ModelScript = ({ messages }) => {
  const { content } = messages.at(-1) as { content: string };
  return JSON.stringify({ variations: [`a variation of ${content.length} characters: ${content.slice(0, 200)}`] });
};

export async function runTrainingChaos(chaos: TrainingChaos): Promise<TrainingChaosReport> {
  const jobs = new FinetuningJobs({ steps: STEPS });
  const { seed } = chaos;
  const model = await startModelProvider({ script: writeVariation, latencyMs: [20, 50], seed, finetuning: jobs });
  const platform = await Platform.start({
    services: ['gateway', 'accounts', 'traffic', 'test-runs', 'training'],
    // A call whose process died holds its idempotency key until its deadline.
    env: { EGRESS_ALLOW: '127.0.0.1/32', INVOKE_TIMEOUT_SECONDS: '5', ...CHAOS_LEASE },
    durable: true,
  });
  try {
    await platform.startService('training', 'training 2');
    const { companyId, key } = await platform.company();
    const client = { rawClient: new RawClient(platform.baseUrl), history: new History(), key };
    const groupId = await prepare(client, companyId, model);
    const { injected, crashes, settledMs } = await injectFaults(platform, companyId, chaos, (at) =>
      train(client, groupId, at),
    );
    await repeatMessages(platform, 2, seededRandom(seed));
    const faults = [...crashes, ...(await trainingFaults(platform.sql, companyId, chaos.datasets, jobs))];
    const statuses = client.history.statuses();
    return { seed, faults, injected, settledMs, statuses, modelCalls: model.calls.length };
  } finally {
    await platform.stop();
    await model.close();
  }
}

async function prepare({ rawClient, key }: RetryingClient, companyId: number, model: ModelProvider): Promise<number> {
  const fixtures = new ConformanceFixtures(rawClient, companyId, key);
  await createTrainingModels(fixtures, model.url);
  const made = await fixtures.call(intentGroups.endpoints.createIntentGroup, { intent_group_name: 'ask' });
  return Number(made.id);
}

async function train(client: RetryingClient, intent_group_id: number, at: number): Promise<void> {
  const submit = (endpoint: Parameters<typeof submitUntilAccepted>[1], input: Record<string, unknown>) =>
    submitUntilAccepted(client, endpoint, {
      name: `${endpoint.name}-${at}`,
      input,
      idHeader: 'X-Service-Task-Id',
      idIn: ({ id }) => id,
    }).then(Number);
  const dataset = { dataset_name: `Rows ${at}`, intent_group_id };
  const dataset_id = await submit(datasets.endpoints.createDataset, dataset);
  await submit(datasetFiles.endpoints.uploadDatasetRows, { dataset_id, content: fileOf(at) });
  const variation = { dataset_id, type: 'variation', model: WRITER };
  await submit(augmentations.endpoints.createAugmentation, variation);
  const mix = { composition_name: `Mix ${at}`, intent_group_id, entries: [{ dataset_id }], validation_split: 0.25 };
  const composition_id = await submit(compositions.endpoints.createComposition, mix);
  await submit(finetuneRuns.endpoints.createFinetuneRun, { composition_id, base_model: BASE });
}

async function injectFaults(
  platform: Platform,
  companyId: number,
  chaos: TrainingChaos,
  start: (at: number) => Promise<void>,
) {
  const { kills, datasets: count, victims = VICTIMS, log = () => undefined } = chaos;
  const injector = new FaultInjector(platform, seededRandom(chaos.seed));
  const restarts = setInterval(() => void injector.restartCrashed().catch(() => undefined), 500);
  let next = 0;
  let accepted = 0;
  let killed = 0;
  const client = async (): Promise<void> => {
    while (next < count) {
      const at = next++;
      const due = () => killed >= kills || at <= (count * (killed + 1)) / (kills + 1);
      await atMost(PACE_MS, due);
      await start(at);
      accepted += 1;
    }
  };
  try {
    const submitted = Promise.all(Array.from({ length: CLIENTS }, client));
    submitted.catch(() => undefined);
    for (; killed < kills; killed++) {
      const share = (count * killed) / (kills + 1);
      await atMost(PACE_MS, () => accepted >= share);
      await injector.killRandom(victims, 1, [100, 400]);
      if (killed === Math.floor(kills / 2)) await injector.deleteBusStore();
    }
    await submitted;
    log(`${injector.injected.length} faults, ${accepted} datasets`);
    const began = Date.now();
    const settled = async () => (await openRuns(platform.sql, companyId)) === 0;
    await atMost(SETTLE_MS, settled);
    const settledMs = Date.now() - began;
    log(`settled after ${settledMs} ms`);
    return { injected: injector.injected, crashes: injector.crashes, settledMs };
  } finally {
    clearInterval(restarts);
  }
}
