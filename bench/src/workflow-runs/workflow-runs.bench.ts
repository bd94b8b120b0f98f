import type { Bench, Sizes } from '../bench.js';
import { memoryMb } from '../measure/memory.js';
import { reportAlone, type Verdict } from '../measure/report.js';
import { median, progress, quantile } from '../measure/rounds.js';
import { BareEngine } from '../scripts/bare-engine.js';
import { type BenchWorkflow, type RoundOfRuns, TRIVIAL, WorkflowSetup } from './setup.js';

/** Numbers of runs at once. */
const LOADS = [1, 8, 32] as const;

const MS = { id: 'P22', unit: 'ms', better: 'less' } as const;
const RATE = { id: 'P22', unit: 'runs/s', better: 'more' } as const;

/** Milliseconds of a script in the bare engine, the median. */
function bareMs(engine: BareEngine, count: number): number {
  const times = Array.from({ length: count }, () => {
    const began = performance.now();
    engine.run(TRIVIAL);
    return performance.now() - began;
  });
  return median(times);
}

/** Rounds of one number of runs at once; the first ones are discarded, for code is compiled in them. */
async function roundsOf(
  setup: WorkflowSetup,
  of: BenchWorkflow,
  connections: number,
  { tiny, rounds }: Sizes,
): Promise<RoundOfRuns[]> {
  const seconds = tiny ? 0.1 : 4;
  for (let round = 0; round < (tiny ? 0 : 2); round++) await setup.load(of, { connections, seconds });
  const measured: RoundOfRuns[] = [];
  for (let round = 0; round < rounds; round++) {
    progress(`${connections} at once, round ${round + 1} of ${rounds}`);
    measured.push(await setup.load(of, { connections, seconds }));
  }
  return measured;
}

function printCpu(rounds: readonly RoundOfRuns[]): void {
  const names = [...(rounds[0]?.cpuMicros.keys() ?? [])];
  const used = names.map((name) => [name, median(rounds.map(({ cpuMicros }) => cpuMicros.get(name) ?? 0))] as const);
  const all = used.reduce((sum, [, micros]) => sum + micros, 0);
  const each = used.map(([name, micros]) => `${name} ${Math.round(micros)}`).join(', ');
  console.log(`  CPU µs of a run: ${Math.round(all)} (${each})`);
}

/** The goals of each number of runs at once. */
function goalsOf(connections: number, bare: number, rounds: readonly RoundOfRuns[]): Verdict[] {
  const at = `${connections} at once`;
  const rate = { ...RATE, what: `runs per second, ${at}`, ...RATES[connections as keyof typeof RATES] };
  const verdicts = [
    reportAlone(
      rate,
      rounds.map(({ requests, seconds }) => requests / seconds),
    ),
    reportAlone(
      { ...MS, what: `time of a run, p99, ${at}`, must: 400, aim: 250 },
      rounds.map(({ p99 }) => p99),
    ),
  ];
  if (connections === 1)
    verdicts.unshift(
      reportAlone(
        { ...MS, what: 'added to the bare engine by the API, warm, p50', must: 8, aim: 4 },
        rounds.map(({ p50 }) => p50 - bare),
      ),
    );
  return verdicts;
}

/** The goal is 150 runs per second on two cores; one at a time, it is that of the latency. */
const RATES = { 1: { must: 120, aim: 240 }, 8: { must: 150, aim: 250 }, 32: { must: 150, aim: 250 } } as const;

/** The first runs of companies that have no process of the runner yet, in milliseconds. */
async function coldMs(setup: WorkflowSetup, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const of = await setup.company();
    const { p50, errors } = await setup.load(of, { connections: 1, seconds: 0.001 });
    if (errors > 0) throw new Error('a first run failed');
    times.push(p50);
  }
  return times.sort((one, other) => one - other);
}

async function measure(setup: WorkflowSetup, sizes: Sizes): Promise<Verdict[]> {
  const engine = await BareEngine.load();
  const of = await setup.company();
  const cold = await coldMs(setup, sizes.tiny ? 1 : 40);
  const idleMb = memoryMb([setup.platform.service('runner').pid]);
  const bare = bareMs(engine, sizes.tiny ? 20 : 2000);
  console.log(`\n  the bare engine takes ${bare.toFixed(2)} ms for the script`);
  const verdicts: Verdict[] = [
    reportAlone({ ...MS, what: 'first run of a company, p50', must: 250, aim: 50 }, [quantile(cold, 0.5)]),
    reportAlone({ ...MS, what: 'first run of a company, p99', must: 1000, aim: 400 }, [quantile(cold, 0.99)]),
  ];
  const before = await setup.completed(of);
  let executed = 0;
  for (const connections of LOADS) {
    const rounds = await roundsOf(setup, of, connections, sizes);
    const errors = rounds.reduce((sum, round) => sum + round.errors, 0);
    executed += rounds.reduce((sum, { requests }) => sum + requests, 0);
    verdicts.push(...goalsOf(connections, bare, rounds).map((verdict) => ({ ...verdict, errors })));
    printCpu(rounds);
  }
  const missing = (await setup.completed(of)) - before < executed ? 1 : 0;
  const memory = {
    id: 'P22',
    what: 'memory of the runner and its idle processes',
    unit: 'MB',
    better: 'less',
  } as const;
  return [...verdicts, { ...reportAlone({ ...memory, must: 500, aim: 300 }, [idleMb]), errors: missing }];
}

/** P22: a run of a workflow from the request to its reply, each of them recorded. */
export const workflowRun: Bench = {
  name: 'workflow-run',
  description: 'P22: sync runs of a trivial script through the API, 1, 8 and 32 at once, over the bare engine',
  run: ({ setups, ...sizes }) =>
    setups.onPlatform(WorkflowSetup.NEEDS, async (platform) => {
      const setup = await WorkflowSetup.on(platform, setups);
      try {
        return await measure(setup, { setups, ...sizes });
      } finally {
        await setup.stop();
      }
    }),
};
