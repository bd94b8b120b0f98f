import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { BusyLoops, Platform } from '@signalbox/testing';
import { type MixedCall, mixedCalls } from './calls.js';

/** As many as fill the processors twice over. */
const LOOPS = 2 * availableParallelism();
/** Pause of a caller between two calls: the busy loops are the load, not the calls. */
const PAUSE_MS = 100;

/** Failures in the message of a failed test. */
const SHOWN = 20;

interface Outcome {
  name: string;
  isRead: boolean;
  ms: number;
}

/** A platform next to busy loops replies to every kind of call for a time. */
export function continuesNextToBusyLoops(durationMs: number): void {
  let platform: Platform;
  let loops: BusyLoops | undefined;

  beforeAll(async () => {
    platform = await Platform.shared([
      'gateway',
      'accounts',
      'traffic',
      'agents',
      'monitors',
      'workflows',
      'runner',
      'test-runs',
    ]);
  }, 300_000);
  afterAll(async () => {
    loops?.stop();
    await platform?.stop();
  });

  it(
    'fails no call',
    async () => {
      const calls = await mixedCalls(platform);
      loops = new BusyLoops(LOOPS);
      const outcomes: Outcome[] = [];
      const failures: string[] = [];
      const until = Date.now() + durationMs;
      const repeat = async ({ name, isRead, run }: MixedCall): Promise<void> => {
        do {
          const began = performance.now();
          await run().then(
            () => outcomes.push({ name, isRead, ms: performance.now() - began }),
            (error: Error) => failures.push(`${name}: ${error.message}`),
          );
          await pause(PAUSE_MS);
        } while (Date.now() < until);
      };
      await Promise.all(calls.map(repeat));
      loops.stop();
      process.stdout.write(`${table(calls, outcomes)}\n`);
      expect([...new Set(failures)].slice(0, SHOWN)).toEqual([]);
      expect(new Set(outcomes.map(({ name }) => name))).toEqual(new Set(calls.map(({ name }) => name)));
    },
    durationMs + 300_000,
  );
}

/** The figures of a run; they depend on the machine, so nothing is asserted about them. */
function table(calls: readonly MixedCall[], outcomes: readonly Outcome[]): string {
  const row = (name: string, durations: number[]): string => {
    const sorted = durations.sort((one, other) => one - other);
    const at = (share: number): string => ((sorted[Math.ceil(share * sorted.length) - 1] ?? 0) / 1000).toFixed(2);
    return `${name.padEnd(20)} ${String(sorted.length).padStart(5)} calls  p50 ${at(0.5)} s  p99 ${at(0.99)} s`;
  };
  return [
    row(
      'all reads',
      outcomes.filter(({ isRead }) => isRead).map(({ ms }) => ms),
    ),
    ...calls.map((call) =>
      row(
        call.name,
        outcomes.filter(({ name }) => name === call.name).map(({ ms }) => ms),
      ),
    ),
  ].join('\n');
}
