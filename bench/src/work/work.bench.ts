import type { Bench, Sizes } from '../bench.js';
import { report, type Verdict } from '../measure/report.js';
import { alternate } from '../measure/rounds.js';
import { Engines } from './engines.js';
import type { WorkAnswer, WorkQuestion } from './engine.js';

async function compare(
  engines: Engines,
  rounds: number,
  goal: Parameters<typeof report>[0],
  question: WorkQuestion,
  value: (answer: WorkAnswer) => number,
): Promise<Verdict> {
  const base = engines.side('graphile', question, value);
  const product = engines.side('product', question, value);
  return report(goal, base, product, await alternate(base, product, rounds));
}

const withEngines = ({ setups }: Sizes, run: (engines: Engines) => Promise<Verdict[]>): Promise<Verdict[]> =>
  setups.on('work engines', () => Engines.start(), run);

const THROUGHPUT = { unit: 'jobs/s', better: 'more', must: 1, aim: 1.8 } as const;

/** P12: how fast jobs are added, run and marked done. */
export const workThroughput: Bench = {
  name: 'work',
  description: 'P12: tasks from enqueue to done, against graphile-worker',
  run: (sizes) =>
    withEngines(sizes, async (engines) => {
      const { tiny, rounds } = sizes;
      const rate = (jobs: number) => (answer: WorkAnswer) => jobs / answer.seconds;
      const many = { jobs: tiny ? 200 : 40_000, batch: tiny ? 50 : 500, writers: 4 };
      const single = { jobs: tiny ? 50 : 6000, batch: 1, writers: 10 };
      return [
        await compare(
          engines,
          rounds,
          { id: 'P12', what: 'enqueue → done, transactions of 500 jobs', ...THROUGHPUT },
          { flood: many },
          rate(many.jobs),
        ),
        await compare(
          engines,
          rounds,
          { id: 'P12', what: 'enqueue → done, one job per transaction, 10 writers', ...THROUGHPUT },
          { flood: single },
          rate(single.jobs),
        ),
      ];
    }),
};

/** P13: how soon an idle engine begins a job. */
export const workLatency: Bench = {
  name: 'work-latency',
  description: 'P13: idle latency from enqueue to the start of the handler, against graphile-worker',
  run: (sizes) =>
    withEngines(sizes, async (engines) => [
      await compare(
        engines,
        sizes.rounds,
        {
          id: 'P13',
          what: 'enqueue → handler start on an idle engine, p50',
          unit: 'ms',
          better: 'less',
          must: 1.2,
          aim: 0.8,
        },
        { trickle: { jobs: sizes.tiny ? 10 : 300, gapMs: 8 } },
        ({ medianMs }) => medianMs,
      ),
    ]),
};
