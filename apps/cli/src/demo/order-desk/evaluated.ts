import { setTimeout as delay } from 'node:timers/promises';
import type { EvaluationRun, Sentinel, Signalbox } from '@signalbox/sdk';

const DAY_MS = 86_400_000;
const PAUSE_MS = 200;

/** Judges the recorded requests of the last day by a sentinel, afterwards. */
export async function evaluate(api: Signalbox, application_id: number, sentinel: Sentinel): Promise<EvaluationRun> {
  const intents = await api.intents.list({ application_id, limit: 100 }).all();
  const intent = intents.find(({ intent_group_id }) => intent_group_id === sentinel.intent_group_id);
  if (!intent) throw new Error('the intent of the sentinel is gone');
  const end_date = Date.now();
  const { id: evaluation_id } = await api.evaluations.create({
    name: 'Questions about orders (demo)',
    application_id,
    intent_id: intent.id,
    start_date: end_date - DAY_MS,
    end_date,
    sentinel_ids: [sentinel.id],
  });
  for (;;) {
    const run = await api.evaluations.get({ evaluation_id });
    if (run.status !== 'PENDING' && run.status !== 'RUNNING') return run;
    await delay(PAUSE_MS);
  }
}
