import type { Bench, Sizes } from '../bench.js';
import { ChatSetup } from '../chat/setup.js';
import { cpuSeconds } from '../measure/cpu.js';
import { peakMb } from '../measure/memory.js';
import { type Goal, report, reportAlone, reportFigures, type Verdict } from '../measure/report.js';
import { alternate, median, progress, type Sample, type Side } from '../measure/rounds.js';
import { matchesOf } from './items.js';
import { Promptfoo } from './promptfoo.js';
import { consumersOf } from './consumers.js';
import { type RunTimes, TestRunSetup } from './setup.js';

const ITEMS = 2500;
const TINY_ITEMS = 10;

/** The value of a round, from the seconds that it took. */
type Value = (seconds: number) => number;

interface Load {
  items: number;
  concurrency: number;
  value: Value;
}

function promptfooSide(promptfoo: Promptfoo, { items, concurrency, value }: Load): Side {
  return {
    name: 'promptfoo',
    async round() {
      const before = cpuSeconds([promptfoo.pid]);
      const { seconds, matched, mismatched } = await promptfoo.evaluate({ items, concurrency });
      const cpu = cpuSeconds([promptfoo.pid]) - before;
      const matches = matchesOf(items);
      const errors = Math.abs(matches - matched) + Math.abs(items - matches - mismatched);
      return { value: value(seconds), cpuMicros: (cpu / items) * 1e6, errors };
    },
  };
}

function productSide(setup: TestRunSetup, { items, concurrency, value }: Load, times: RunTimes[]): Side {
  const { name, pids } = setup.chat.product();
  return {
    name,
    async round() {
      const before = cpuSeconds(pids);
      const { errors, ...took } = await setup.run(concurrency);
      times.push(took);
      const cpu = cpuSeconds(pids) - before;
      return { value: value(took.prepare + took.execute + took.score), cpuMicros: (cpu / items) * 1e6, errors };
    },
  };
}

/** Runs the same items on both sides, and prints how the time of the product divides over its steps. */
async function compare(
  { rounds }: Sizes,
  goal: Goal,
  load: Load,
  setup: TestRunSetup,
  promptfoo: Promptfoo | null,
): Promise<Verdict> {
  const base = promptfoo && promptfooSide(promptfoo, load);
  const times: RunTimes[] = [];
  const product = productSide(setup, load, times);
  const verdict = report(goal, base, product, await alternate(base, product, rounds));
  printSteps(times.slice(-rounds));
  return verdict;
}

function printSteps(times: readonly RunTimes[]): void {
  const middle = (step: keyof RunTimes): string => median(times.map((each) => each[step])).toFixed(2);
  console.log(`  prepare ${middle('prepare')} s, execute ${middle('execute')} s, score ${middle('score')} s`);
}

/** A new test set on a platform, with a model whose replies take so long. */
function withSetup<R>(
  { setups }: Sizes,
  latencyMs: number,
  items: number,
  run: (setup: TestRunSetup) => Promise<R>,
  needs = TestRunSetup.NEEDS,
): Promise<R> {
  return setups.onPlatform(needs, async (platform) => {
    const chat = await ChatSetup.on(platform, setups, latencyMs);
    try {
      return await run(await TestRunSetup.on(chat, items));
    } finally {
      await chat.stop();
    }
  });
}

const withBoth = (
  sizes: Sizes,
  latencyMs: number,
  run: (setup: TestRunSetup, promptfoo: Promptfoo | null) => Promise<Verdict[]>,
): Promise<Verdict[]> =>
  withSetup(sizes, latencyMs, sizes.items ?? (sizes.tiny ? TINY_ITEMS : ITEMS), (setup) =>
    sizes.withoutBase
      ? run(setup, null)
      : Promptfoo.use(setup.chat.direct.port, sizes.tiny, (promptfoo) => run(setup, promptfoo)),
  );

/** P14: a run by API, until its scores are there. */
export const testRun: Bench = {
  name: 'test-run',
  description: 'P14: a test run prepared, executed and scored, 0 ms upstream, 20 items at once, against promptfoo',
  run: (sizes) =>
    withBoth(sizes, 0, async (setup, promptfoo) => {
      const { items } = setup;
      const what = `test run of ${items} items, 0 ms upstream, 20 at once`;
      const goal = { id: 'P14', what, unit: 'items/s', better: 'more', must: 8, aim: 14 } as const;
      const load = { items, concurrency: 20, value: (seconds: number) => items / seconds };
      return [await compare(sizes, goal, load, setup, promptfoo)];
    }),
};

const LATENCY_MS = 50;
const SHARES = [
  { concurrency: 20, must: 0.88, aim: 0.93 },
  { concurrency: 100, must: 0.7, aim: 0.83 },
] as const;

/** P15: the same where the model is what takes the time. */
export const testRunLatency: Bench = {
  name: 'test-run-latency',
  description: 'P15: the same at 50 ms upstream, 20 and 100 items at once, as a share of what the upstream allows',
  run: (sizes) =>
    withBoth(sizes, LATENCY_MS, async (setup, promptfoo) => {
      const { items } = setup;
      const verdicts: Verdict[] = [];
      for (const { concurrency, ...limits } of SHARES) {
        const ideal = (items / concurrency) * (LATENCY_MS / 1000);
        const what = `test run of ${items} items, ${LATENCY_MS} ms upstream, ${concurrency} at once, ideal ${ideal.toFixed(2)} s`;
        const goal = { id: 'P15', what, unit: 'share', better: 'more', of: 'value', ...limits } as const;
        const load = { items, concurrency, value: (seconds: number) => ideal / seconds };
        verdicts.push(await compare(sizes, goal, load, setup, promptfoo));
      }
      return verdicts;
    }),
};

const MEMORY = { id: 'P14', unit: 'MB', better: 'less', must: 500, aim: 500 } as const;

/** The memory of the process that prepares, executes and scores a large run. */
export const testRunMemory: Bench = {
  name: 'test-run-memory',
  description: 'a test run of 10,000 items, or --items=N up to 100,000, and the memory of the test-runs process',
  run: (sizes) =>
    withSetup(sizes, 0, sizes.items ?? (sizes.tiny ? TINY_ITEMS : 10_000), async (setup) => {
      const { pid } = setup.chat.platform.service('test-runs');
      progress(`${Math.round(peakMb(pid))} MB once the items are imported`);
      const { errors, ...times } = await setup.run(20);
      const what = `peak memory of the test-runs process, ${setup.items} items`;
      const verdict = { ...reportAlone({ ...MEMORY, what }, [peakMb(pid)]), errors };
      printSteps([times]);
      return [verdict];
    }),
};

/** The same items through each kind of consumer: each asks the same model once for each item. */
export const testRunConsumers: Bench = {
  name: 'test-run-consumers',
  description: 'a test run of 500 items with a model, a workflow and an agent, each of which asks the same model once',
  run: (sizes) =>
    withSetup(
      sizes,
      0,
      sizes.items ?? (sizes.tiny ? TINY_ITEMS : 500),
      async (setup) => {
        const { items } = setup;
        const { pids } = setup.chat.product();
        const sides: Record<string, Sample[]> = {};
        for (const [name, driven] of Object.entries(await consumersOf(setup.chat))) {
          if (!sizes.tiny) await setup.run(20, driven);
          const samples = (sides[name] = [] as Sample[]);
          for (let round = 0; round < sizes.rounds; round++) {
            const before = cpuSeconds(pids);
            const { execute, errors } = await setup.run(20, driven);
            samples.push({ value: items / execute, cpuMicros: ((cpuSeconds(pids) - before) / items) * 1e6, errors });
          }
        }
        return [reportFigures(`test runs of ${items} items by consumer, 20 at once`, 'items/s', sides)];
      },
      {
        ...TestRunSetup.NEEDS,
        services: ['accounts', 'traffic', 'agents', 'workflows', 'runner', 'test-runs', 'gateway'],
      },
    ),
};
