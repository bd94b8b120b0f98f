import { BusScriptRunner, type ScriptHost } from '@signalbox/scripts';
import type { Platform } from '@signalbox/testing';
import type { Bench, Sizes } from '../bench.js';
import { memoryMb } from '../measure/memory.js';
import { reportAlone, type Verdict } from '../measure/report.js';
import { BareEngine } from './bare-engine.js';

const SCRIPT = 'function execute(ctx) { return ctx.input + 1 }';
const HOST: ScriptHost = { call: () => Promise.resolve(null), log: () => undefined, emit: () => undefined };

const median = (values: number[]): number => values.sort((one, other) => one - other)[values.length >> 1] ?? NaN;

async function timesOf(count: number, run: (index: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const began = performance.now();
    if ((await run(index)) !== 2) throw new Error('the script returned a wrong value');
    times.push(performance.now() - began);
  }
  return times;
}

/** P22 without the API: what the runner adds to a script. */
export const scriptsBench: Bench = {
  name: 'scripts',
  description:
    'P22: a trivial script through the runner, warm and for a company that has no process yet, over the bare engine',
  run: ({ tiny, rounds, setups }: Sizes): Promise<Verdict[]> =>
    setups.onPlatform({ services: ['runner'] }, async (platform: Platform) => {
      const runner = new BusScriptRunner(platform.bus, platform.connection);
      const count = tiny ? 5 : 300;
      const limits = { timeout_ms: 10_000, memory_mb: 128 };
      const execute = async (company_id: number): Promise<unknown> => {
        const execution = {
          execution_id: 'bench',
          company_id,
          language: 'javascript',
          script: SCRIPT,
          entry: 'execute',
          argument: { input: 1 },
          depth: 0,
          limits,
        } as const;
        const result = await runner.execute(execution, HOST, new AbortController().signal);
        return result.status === 'completed' ? result.output : result;
      };
      const engine = await BareEngine.load();
      const [added, cold]: [number[], number[]] = [[], []];
      await timesOf(count, () => execute(1));
      const idleMb = memoryMb([platform.service('runner').pid]);
      for (let round = 0; round < rounds; round++) {
        const bare = median(await timesOf(count, () => Promise.resolve(engine.run(SCRIPT))));
        added.push(median(await timesOf(count, () => execute(1))) - bare);
        cold.push(median(await timesOf(tiny ? 1 : 10, (index) => execute(1000 * (round + 1) + index))));
      }
      const time = { id: 'P22', unit: 'ms', better: 'less' } as const;
      return [
        reportAlone({ ...time, what: 'added by the runner, warm, p50', must: 8, aim: 4 }, added),
        reportAlone({ ...time, what: 'first script of a company, p50', must: 250, aim: 50 }, cold),
        reportAlone({ id: 'P22', what: 'memory of the idle runner', unit: 'MB', better: 'less', must: 500, aim: 300 }, [
          idleMb,
        ]),
      ];
    }),
};
