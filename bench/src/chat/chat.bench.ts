import type { Bench, Sizes } from '../bench.js';
import { report, type Verdict } from '../measure/report.js';
import { alternate, beside, progress, type Sample, type Side } from '../measure/rounds.js';
import { type Answering, ChatStage } from './stage.js';

const CONNECTIONS = 32;

function withStage(
  { stages }: Sizes,
  latencyMs: number,
  run: (stage: ChatStage) => Promise<Verdict[]>,
): Promise<Verdict[]> {
  return stages.onPlatform(ChatStage.NEEDS, async (platform) => {
    const stage = await ChatStage.on(platform, latencyMs);
    try {
      return await run(stage);
    } finally {
      await stage.stop();
    }
  });
}

/** Requests per second, counted until each of them can be read in the log where the side has one. */
function rateOf(stage: ChatStage, side: Answering, seconds: number, logs: boolean): Side {
  let total = 0;
  return {
    name: side.name,
    async round(): Promise<Sample> {
      const { requests, errors, cpu, ...took } = await stage.load(side, { connections: CONNECTIONS, seconds });
      total += requests;
      const began = performance.now();
      const missing = logs ? Math.abs(total - (await stage.recorded(total))) : 0;
      const more = logs ? (performance.now() - began) / 1000 : 0;
      return { value: requests / (took.seconds + more), cpuMicros: cpu(), errors: errors + missing };
    },
  };
}

/** P6: how many calls a second, each of ours in the log. */
export const chatRate: Bench = {
  name: 'chat-rate',
  says: 'P6: chat completions, 0 ms upstream, every call of ours durably logged, against Portkey',
  run: (sizes) =>
    withStage(sizes, 0, async (stage) => {
      const { tiny, rounds } = sizes;
      const seconds = tiny ? 0.3 : 4;
      const base = rateOf(stage, await stage.portkey(), seconds, false);
      const product = rateOf(stage, stage.product(), seconds, true);
      const what = 'chat completions, 0 ms upstream, 32 connections';
      const goal = { id: 'P6', what, unit: 'requests/s', better: 'more', must: 6, aim: 10 } as const;
      return [report(goal, base, product, await alternate(base, product, rounds))];
    }),
};

/** Milliseconds that a side adds to what the upstream takes by itself, the middle and the slowest hundredth. */
function addedOf(stage: ChatStage, side: Answering, seconds: number): Side {
  return {
    name: side.name,
    async round(): Promise<Sample> {
      const load = { connections: CONNECTIONS, seconds };
      const direct = await stage.load(stage.direct, load);
      const { p50, p99, errors, cpu } = await stage.load(side, load);
      return { value: p50 - direct.p50, beside: p99 - direct.p99, cpuMicros: cpu(), errors: errors + direct.errors };
    },
  };
}

/** P8: what the caller waits for us. */
export const chatLatency: Bench = {
  name: 'chat-latency',
  says: 'P8: latency added to an upstream of 50 ms at 32 connections, against Portkey',
  run: (sizes) =>
    withStage(sizes, 50, async (stage) => {
      const { tiny, rounds } = sizes;
      const seconds = tiny ? 0.3 : 4;
      const base = addedOf(stage, await stage.portkey(), seconds);
      const product = addedOf(stage, stage.product(), seconds);
      const outcome = await alternate(base, product, rounds);
      const added = { id: 'P8', unit: 'ms', better: 'less' } as const;
      return [
        report(
          { ...added, what: 'added latency at 50 ms upstream, p50', must: 0.6, aim: 0.45 },
          base,
          product,
          outcome,
        ),
        report(
          { ...added, what: 'added latency at 50 ms upstream, p99', must: 0.6, aim: 0.35 },
          base,
          product,
          beside(outcome),
        ),
      ];
    }),
};

/** Milliseconds added until the first token, and the p99 of those added to the gap before every other one. */
function streamedOf(stage: ChatStage, side: Answering, load: { connections: number; streams: number }): Side {
  return {
    name: side.name,
    async round(): Promise<Sample> {
      const direct = await stage.streams(stage.direct, load);
      const { firstToken, gapP99, errors, cpuMicros } = await stage.streams(side, load);
      return { value: firstToken - direct.firstToken, beside: gapP99, cpuMicros, errors: errors + direct.errors };
    },
  };
}

/**
 * Streams of each connection that a side serves before it is measured: what is measured one at a time would be measured
 * while it warms up. A stream takes at least 40 × 5 ms, so this takes 20 s a side and more.
 */
const WARM_UP = { connections: 32, streams: 100 };

async function warmUp(stage: ChatStage, sides: readonly Answering[]): Promise<void> {
  for (const side of sides) {
    progress(`warming up ${side.name} with ${WARM_UP.connections * WARM_UP.streams} streams`);
    await stage.streams(side, WARM_UP);
  }
}

async function compareStreams(
  stage: ChatStage,
  [proxy, ours]: [Answering, Answering],
  { tiny, rounds }: Sizes,
  connections: number,
): Promise<Verdict[]> {
  const load = { connections, streams: tiny ? 2 : connections === 1 ? 20 : 12 };
  const base = streamedOf(stage, proxy, load);
  const product = streamedOf(stage, ours, load);
  const outcome = await alternate(base, product, rounds);
  const added = { id: 'P9', unit: 'ms', better: 'less', must: 1.5, aim: 1.2 } as const;
  const at = `${connections} stream${connections > 1 ? 's' : ''} at once`;
  return [
    report({ ...added, what: `added time to first token, p50, ${at}` }, base, product, outcome),
    report({ ...added, what: `added between tokens, p99, ${at}` }, base, product, beside(outcome)),
  ];
}

/** P9: how soon a token is handed on. */
export const chatStream: Bench = {
  name: 'chat-stream',
  says: 'P9: streaming, added time to the first token and between tokens, against Fastify + undici',
  run: (sizes) =>
    withStage(sizes, 0, async (stage) => {
      const sides: [Answering, Answering] = [await stage.proxy(), stage.product()];
      if (!sizes.tiny) await warmUp(stage, sides);
      return [...(await compareStreams(stage, sides, sizes, 1)), ...(await compareStreams(stage, sides, sizes, 16))];
    }),
};
