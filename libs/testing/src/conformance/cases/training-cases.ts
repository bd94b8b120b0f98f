import { augmentations, compositions, datasetRequests, datasets, finetuneRuns, intents } from '@signalbox/contracts';
import type { Case } from './case.js';
import type { ConformanceFixtures } from '../fixtures.js';

const items = [
  {
    messages: [{ role: 'user', content: 'hello' }],
    response: { role: 'assistant', content: 'hi' },
    meta: { by: 'test' },
  },
];

async function newDataset(fixtures: ConformanceFixtures): Promise<Record<string, unknown>> {
  const made = await fixtures.call(datasets.endpoints.createDataset, {
    dataset_name: fixtures.fresh('Rows'),
    intent_group_id: await fixtures.idOf(fixtures.intentGroup()),
  });
  return { dataset_id: made.id };
}

async function newRow(fixtures: ConformanceFixtures): Promise<Record<string, unknown>> {
  const dataset = await newDataset(fixtures);
  const { requests } = await fixtures.call(datasetRequests.endpoints.addDatasetRequests, { ...dataset, items });
  return { ...dataset, dataset_request_id: (requests as { id: number }[])[0]?.id };
}

const row: Case = (fixtures) => fixtures.once('datasetRow', () => newRow(fixtures));
const dataset: Case = async (fixtures) => ({ dataset_id: (await row(fixtures)).dataset_id });
const newFilled: Case = async (fixtures) => ({ dataset_id: (await newRow(fixtures)).dataset_id });
const group: Case = async (fixtures) => ({ intent_group_id: await fixtures.idOf(fixtures.intentGroup()) });

async function newComposition(fixtures: ConformanceFixtures): Promise<Record<string, unknown>> {
  const made = await fixtures.call(compositions.endpoints.createComposition, {
    composition_name: fixtures.fresh('Mix'),
    ...(await group(fixtures)),
    entries: [await newFilled(fixtures)],
  });
  return { composition_id: made.id };
}
const composition: Case = (fixtures) => fixtures.once('composition', () => newComposition(fixtures));

async function newEntry(fixtures: ConformanceFixtures): Promise<Record<string, unknown>> {
  const [mixed, { dataset_id }] = [await newComposition(fixtures), await newFilled(fixtures)];
  await fixtures.call(compositions.endpoints.addCompositionDataset, { ...mixed, dataset_id });
  return { ...mixed, dataset_id };
}

async function newFinetuneRun(fixtures: ConformanceFixtures): Promise<Record<string, unknown>> {
  const run = await fixtures.call(finetuneRuns.endpoints.createFinetuneRun, {
    ...(await newComposition(fixtures)),
    base_model: 'simulated-echo',
    hyperparameters: { n_epochs: 50 },
  });
  return { finetune_run_id: run.id };
}
const finetuneRun: Case = (fixtures) => fixtures.once('finetuneRun', () => newFinetuneRun(fixtures));

async function cancelledFinetuneRun(fixtures: ConformanceFixtures): Promise<Record<string, unknown>> {
  const run = await newFinetuneRun(fixtures);
  await fixtures.call(finetuneRuns.endpoints.cancelFinetuneRun, run);
  return run;
}

async function newAugmentation(fixtures: ConformanceFixtures): Promise<Record<string, unknown>> {
  const input = await newFilled(fixtures);
  const made = await fixtures.call(augmentations.endpoints.createAugmentation, { ...input, type: 'variation' });
  return { ...input, augmentation_id: made.id };
}
const augmentation: Case = (fixtures) => fixtures.once('augmentation', () => newAugmentation(fixtures));

async function archived(fixtures: ConformanceFixtures): Promise<Record<string, unknown>> {
  const input = await newFilled(fixtures);
  await fixtures.call(datasets.endpoints.archiveDataset, input);
  return input;
}

export const TRAINING_CASES: Readonly<Record<string, Case>> = {
  'datasets.listDatasets': async (fixtures) => ({ ...(await group(fixtures)), status: 'READY' }),
  'datasets.createDataset': async (fixtures) => ({
    dataset_name: fixtures.fresh('Rows'),
    ...(await group(fixtures)),
    application_id: await fixtures.idOf(fixtures.application()),
    tags: ['golden'],
  }),
  'datasets.getDataset': dataset,
  'datasets.updateDataset': async (fixtures) => ({ ...(await dataset(fixtures)), description: 'changed' }),
  'datasets.deleteDataset': newFilled,
  'datasets.archiveDataset': newFilled,
  'datasets.unarchiveDataset': archived,
  'dataset-requests.addDatasetRequests': async (fixtures) => ({
    ...(await dataset(fixtures)),
    request_ids: [(await fixtures.request()).request_id],
  }),
  'dataset-requests.addDatasetRequestsByFilter': async (fixtures) => ({
    ...(await newDataset(fixtures)),
    text: 'hello',
    max: 1,
  }),
  'dataset-requests.searchAddedRequests': async (fixtures) => ({
    ...(await dataset(fixtures)),
    source: 'MANUAL',
    is_corrected: false,
    text: 'hello',
  }),
  'dataset-requests.searchAvailableRequests': async (fixtures) => ({ ...(await dataset(fixtures)), text: 'hello' }),
  'dataset-requests.getDatasetRequest': row,
  'dataset-requests.updateDatasetRequest': async (fixtures) => ({ ...(await row(fixtures)), meta: { seen: true } }),
  'dataset-requests.deleteDatasetRequest': newRow,
  'dataset-files.uploadDatasetRows': async (fixtures) => ({
    ...(await dataset(fixtures)),
    content: '{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}\n',
  }),
  'dataset-files.exportDataset': dataset,
  'compositions.listCompositions': async (fixtures) => ({ ...(await group(fixtures)), status: 'READY' }),
  'compositions.createComposition': async (fixtures) => ({
    composition_name: fixtures.fresh('Mix'),
    ...(await group(fixtures)),
    entries: [{ ...(await dataset(fixtures)), weight: 0.5, max_requests: 10 }],
    validation_split: 0.2,
    seed: 1,
    exclude_test_set_ids: [await fixtures.idOf(fixtures.testSet())],
  }),
  'compositions.getComposition': composition,
  'compositions.updateComposition': async (fixtures) => ({ ...(await composition(fixtures)), description: 'changed' }),
  'compositions.deleteComposition': newComposition,
  'compositions.addCompositionDataset': async (fixtures) => ({
    ...(await newComposition(fixtures)),
    ...(await dataset(fixtures)),
    weight: 2,
  }),
  'compositions.updateCompositionDataset': async (fixtures) => ({ ...(await newEntry(fixtures)), weight: 0 }),
  'compositions.removeCompositionDataset': newEntry,
  'compositions.previewComposition': async (fixtures) => ({ ...(await composition(fixtures)), sample_size: 1 }),
  'compositions.exportComposition': composition,
  'augmentations.listAugmentations': async (fixtures) => ({
    dataset_id: (await augmentation(fixtures)).dataset_id,
  }),
  'augmentations.createAugmentation': async (fixtures) => ({
    ...(await newFilled(fixtures)),
    type: 'reasoning',
    schema: [{ field: 'why', instruction: 'why the answer is right' }],
    model: 'simulated-echo',
  }),
  'augmentations.getAugmentation': augmentation,
  'finetune-runs.listFinetuneRuns': async (fixtures) => ({ ...(await group(fixtures)), status: 'RUNNING' }),
  'finetune-runs.createFinetuneRun': async (fixtures) => ({
    ...(await newComposition(fixtures)),
    run_name: fixtures.fresh('Run'),
    base_model: 'simulated-echo',
    hyperparameters: { n_epochs: 1, batch_size: 1, learning_rate_multiplier: 0.1, seed: 1 },
  }),
  'finetune-runs.getFinetuneRun': finetuneRun,
  'finetune-runs.deleteFinetuneRun': cancelledFinetuneRun,
  'finetune-runs.listFinetuneEvents': finetuneRun,
  'finetune-runs.listFinetuneMetrics': finetuneRun,
  'finetune-runs.listFinetuneCheckpoints': finetuneRun,
  'finetune-runs.cancelFinetuneRun': newFinetuneRun,
  'intent-group-training.listIntentGroupFinetuneRuns': group,
  'intent-group-training.listIntentGroupCompositions': group,
  'intent-datasets.listIntentDatasets': async (fixtures) => {
    const intent = await fixtures.call(intents.endpoints.getIntent, {
      application_id: await fixtures.idOf(fixtures.application()),
      intent_id: await fixtures.idOf(fixtures.intent()),
    });
    return { application_id: intent.application_id, intent_id: intent.id };
  },
  'intent-group-training.listIntentGroupDatasets': group,
};
