import type { Bench, Sizes } from '../bench.js';
import { ChatSetup } from '../chat/setup.js';
import { report, reportFigures, type Verdict } from '../measure/report.js';
import { alternate, type Sample, type Side } from '../measure/rounds.js';
import { MonitoredCalls, type MonitoredLoad, nameOf } from './monitored-calls.js';
import { WATCHED } from './watched-intent.js';

/** The latency at which P8 measures what the product adds. */
const LATENCY_MS = 50;
const WHAT = 'chat completions, monitors at 100 %';

/** The load of both sides. */
type SharedLoad = Omit<MonitoredLoad, 'monitored'>;

/** One side of a comparison; its value is the rate of the calls, or their median duration. */
function sideOf(calls: MonitoredCalls, load: MonitoredLoad, by: 'rate' | 'p50'): Side {
  return {
    name: nameOf(load.monitored),
    async round(): Promise<Sample> {
      const { requests, seconds, errors, cpuMicros, p50 } = await calls.load(load);
      return { value: by === 'rate' ? requests / seconds : p50, cpuMicros, errors };
    },
  };
}

const sidesOf = (calls: MonitoredCalls, load: SharedLoad, by: 'rate' | 'p50'): [Side, Side] => [
  sideOf(calls, { ...load, monitored: false }, by),
  sideOf(calls, { ...load, monitored: true }, by),
];

/** Calls of a watched intent on a platform, whose model replies after some time. */
function withCalls<R>({ setups }: Sizes, latencyMs: number, run: (calls: MonitoredCalls) => Promise<R>): Promise<R> {
  return setups.onPlatform({ ...ChatSetup.NEEDS, services: WATCHED }, async (platform) => {
    const setup = await ChatSetup.on(platform, setups, latencyMs);
    try {
      return await run(await MonitoredCalls.of(setup));
    } finally {
      await setup.stop();
    }
  });
}

/** The rate of a closed loop; and the median duration at half of it, without a goal. */
async function rates(calls: MonitoredCalls, load: SharedLoad, rounds: number): Promise<Verdict[]> {
  const closed = sidesOf(calls, load, 'rate');
  const fast = await alternate(...closed, rounds);
  const half = fast.base.reduce((sum, { value }) => sum + value, 0) / fast.base.length / 2;
  const open = sidesOf(calls, { ...load, rate: half }, 'p50');
  const { base, product } = await alternate(...open, rounds);
  const goal = { id: 'P10', what: WHAT, unit: 'requests/s', better: 'more', must: 0.85, aim: 0.95 } as const;
  return [
    report(goal, ...closed, fast),
    reportFigures(`p50 at ${Math.round(half)}/s, 0 ms upstream`, 'ms', {
      [open[0].name]: base,
      [open[1].name]: product,
    }),
  ];
}

/** The median duration with an upstream that takes time, as callers of models see it. */
async function median(calls: MonitoredCalls, load: SharedLoad, rounds: number): Promise<Verdict[]> {
  const sides = sidesOf(calls, load, 'p50');
  const what = `${WHAT}, p50 at ${LATENCY_MS} ms upstream, 32 connections`;
  const goal = { id: 'P10', what, unit: 'ms', better: 'less', must: 1.03, aim: 1.01 } as const;
  return [report(goal, ...sides, await alternate(...sides, rounds))];
}

/**
 * P10: the chat path with a monitor that judges every call, against itself without one. The rate is that of a closed
 * loop without latency, where the median duration is the number of connections by the rate and says nothing more. The
 * median is that of the load at which P8 measures latencies.
 */
export const chatMonitored: Bench = {
  name: 'chat-monitored',
  description: 'P10: chat completions of an intent while a monitor judges all of them, against the same without it',
  run: async (sizes) => {
    const load = { seconds: sizes.tiny ? 0.1 : 4 };
    return [
      ...(await withCalls(sizes, 0, (calls) => rates(calls, load, sizes.rounds))),
      ...(await withCalls(sizes, LATENCY_MS, (calls) => median(calls, load, sizes.rounds))),
    ];
  },
};
