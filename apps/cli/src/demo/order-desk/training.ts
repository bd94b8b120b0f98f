import { setTimeout as delay } from 'node:timers/promises';
import type { Application, FinetuneRun, Signalbox } from '@signalbox/sdk';
import { QUESTIONS } from './answer-desk.js';

const WRITTEN = 'Answers written by hand (demo)';
const RECORDED = 'Recorded answers (demo)';
const MIX = 'Shop answers (demo)';
const RUN = 'Shop answers (demo)';
const MOST_RECORDED = 50;
const PAUSE_MS = 100;

export interface Mixture {
  id: number;
  rows: number;
}

/** Everything derived from it has the same intent group. */
async function openDataset(api: Signalbox, dataset_name: string, intent_group_id: number) {
  const known = (await api.datasets.list({ search: dataset_name }).all()).find(
    (each) => each.dataset_name === dataset_name,
  );
  const dataset =
    known ?? (await api.datasets.create({ dataset_name, intent_group_id, description: 'Created by npm run demo' }));
  return { dataset, isNew: known === undefined };
}

const rowOf = (question: string) => ({
  messages: [{ role: 'user' as const, content: question }],
  response: { role: 'assistant' as const, content: `${question.replace(/\?$/, '')}: our shop has the answer.` },
});

export async function mixRows(
  api: Signalbox,
  { id: application_id }: Application,
  intent_group_id: number,
): Promise<Mixture> {
  const written = await openDataset(api, WRITTEN, intent_group_id);
  if (written.isNew) await api.datasets.addRequests({ dataset_id: written.dataset.id, items: QUESTIONS.map(rowOf) });
  const { dataset: recorded } = await openDataset(api, RECORDED, intent_group_id);
  await api.datasets.addRequestsByFilter({
    dataset_id: recorded.id,
    application_id,
    request_type: 'PROD',
    max: MOST_RECORDED,
  });
  const known = (await api.compositions.list({ search: MIX }).all()).find(
    ({ composition_name }) => composition_name === MIX,
  );
  const { id: composition_id } =
    known ??
    (await api.compositions.create({
      composition_name: MIX,
      intent_group_id,
      entries: [
        { dataset_id: written.dataset.id, weight: 2 },
        { dataset_id: recorded.id, weight: 1 },
      ],
      validation_split: 0.2,
    }));
  const { train_count, validation_count } = await api.compositions.preview({ composition_id });
  return { id: composition_id, rows: train_count + validation_count };
}

/** The built-in model needs no provider; an earlier run is enough. */
export async function train(api: Signalbox, { id: composition_id }: Mixture): Promise<FinetuneRun> {
  const [known] = (await api.finetuneRuns.list({ composition_id, status: 'COMPLETED', limit: 1 })).data;
  if (known) return known;
  const { id: finetune_run_id } = await api.finetuneRuns.create({
    run_name: RUN,
    composition_id,
    base_model: 'simulated-echo',
    hyperparameters: { n_epochs: 3, batch_size: 8 },
  });
  for (;;) {
    const run = await api.finetuneRuns.get({ finetune_run_id });
    if (['COMPLETED', 'FAILED', 'CANCELLED'].includes(run.status)) return run;
    await delay(PAUSE_MS);
  }
}
