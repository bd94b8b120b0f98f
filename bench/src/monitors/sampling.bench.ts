import { setTimeout as sleep } from 'node:timers/promises';
import { completions } from '@signalbox/contracts';
import type { Platform } from '@signalbox/testing';
import type { Bench } from '../bench.js';
import { reportAlone, type Verdict } from '../measure/report.js';
import { progress, quantile } from '../measure/rounds.js';
import { APPLICATION, createIntent, JUDGED_MS, watch, WATCHED } from './watched-intent.js';

const BATCH = 100;

/** The answered calls of one batch, as a client imports them. */
const batchOf = (intent: string) => ({
  items: Array.from({ length: BATCH }, (_, at) => ({
    chat_completion_request: {
      messages: [{ role: 'user' as const, content: `question ${at} about an order of the usual size` }],
      model: 'gpt-bench',
      application: APPLICATION,
      intent,
      return_evaluation: false,
    },
    chat_completion_response: {
      choices: [{ message: { role: 'assistant' as const, content: `answer ${at}: your order is on its way` } }],
    },
  })),
});

/** Imports calls at a rate and samples, twice a second, how many of them are not judged yet. */
async function sampleAtRate(platform: Platform, rate: number, seconds: number): Promise<Verdict> {
  const { companyId } = await platform.company();
  const intent = await createIntent(platform, companyId, 'imported');
  await watch(platform, companyId, intent);
  let sent = 0;
  const behind: number[] = [];
  const judged = async (): Promise<number> => {
    const { rows } = await platform.sql.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM monitors.monitor_runs WHERE company_id = $1 AND outcome IS NOT NULL',
      [companyId],
    );
    return rows[0]?.count ?? 0;
  };
  const began = performance.now();
  const observe = setInterval(() => void judged().then((count) => behind.push(sent - count)), 500);
  while (performance.now() - began < seconds * 1000) {
    const due = ((performance.now() - began) / 1000) * rate;
    if (sent + BATCH > due) await sleep(10);
    else {
      await platform.bus.call(completions.endpoints.storeCompletions, batchOf('imported'), platform.caller(companyId));
      sent += BATCH;
    }
  }
  clearInterval(observe);
  const made = sent / ((performance.now() - began) / 1000);
  const limit = performance.now() + JUDGED_MS;
  while ((await judged()) < sent && performance.now() < limit) await sleep(50);
  const missing = sent - (await judged());
  const third = Math.max(1, Math.floor(behind.length / 3));
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const [early, late] = [mean(behind.slice(0, third)), mean(behind.slice(-third))];
  progress(
    `${Math.round(made)} sources/s, ${Math.round(early)} behind in the first third, ${Math.round(late)} in the last`,
  );
  const lags = behind.map((count) => count / made).sort((a, b) => a - b);
  const goal = {
    id: 'P23',
    what: `sampling at 100 % of ${rate} sources/s, p99 of the lag`,
    unit: 's',
    better: 'less',
    must: 5,
    aim: 1,
  } as const;
  return { ...reportAlone(goal, [quantile(lags, 0.99)]), errors: missing };
}

/** P23: sampling and judging directly, at the rate of production. */
export const sampling: Bench = {
  name: 'sampling',
  description: 'P23: sources sampled at 100 % and judged directly; the lag must not grow',
  run: ({ setups, tiny }) =>
    setups.onPlatform({ services: WATCHED, durable: true }, async (platform) => [
      await sampleAtRate(platform, tiny ? 100 : 1000, tiny ? 2 : 60),
    ]),
};
