import type { Sentinel } from '@signalbox/sdk';
import type { DemoContext } from '../context.js';
import type { PreparedDesk } from './preparation.js';
import { mixRows, train } from './training.js';

export async function showTraining(
  { api, step }: DemoContext,
  { application }: PreparedDesk,
  { intent_group_id }: Sentinel,
): Promise<boolean> {
  const mixture = await step(
    'Two datasets, one written by hand and one of recorded requests, in a composition',
    () => mixRows(api, application, intent_group_id),
    ({ id, rows }) => `composition ${id} has ${rows} rows`,
  );
  const run = await step(
    'Train the built-in model with it',
    () => train(api, mixture),
    ({ id, status, finetuned_model_name: name }) => `finetune run ${id} is ${status}: ${name ?? 'no model'}`,
  );
  return run.status === 'COMPLETED';
}
