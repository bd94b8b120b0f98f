import type { Bench, Sizes } from '../bench.js';
import { report, type Verdict } from '../measure/report.js';
import { alternate, extraValue, progress, type Sample, type Side } from '../measure/rounds.js';
import { type ChatServer, ChatSetup } from './setup.js';

const CONNECTIONS = 32;

function withSetup(
  { setups }: Sizes,
  latencyMs: number,
  run: (setup: ChatSetup) => Promise<Verdict[]>,
): Promise<Verdict[]> {
  return setups.onPlatform(ChatSetup.NEEDS, async (platform) => {
    const setup = await ChatSetup.on(platform, setups, latencyMs);
    try {
      return await run(setup);
    } finally {
      await setup.stop();
    }
  });
}

/** Requests per second, counted until each of them can be read in the log where the side has one. */
function rateOf(setup: ChatSetup, side: ChatServer, seconds: number, logs: boolean): Side {
  let total = 0;
  return {
    name: side.name,
    async round(): Promise<Sample> {
      const { requests, errors, cpu, ...took } = await setup.load(side, { connections: CONNECTIONS, seconds });
      total += requests;
      const began = performance.now();
      const missing = logs ? Math.abs(total - (await setup.recorded(total))) : 0;
      const more = logs ? (performance.now() - began) / 1000 : 0;
      return { value: requests / (took.seconds + more), cpuMicros: cpu(), errors: errors + missing };
    },
  };
}

/** P6 and P6b: calls per second, each of ours in the log. */
export const chatRate: Bench = {
  name: 'chat-rate',
  description:
    'P6: chat completions, 0 ms upstream, each of ours durably logged, against Portkey; P6b: against a bare proxy',
  run: (sizes) =>
    withSetup(sizes, 0, async (setup) => {
      const { tiny, rounds } = sizes;
      const seconds = tiny ? 0.1 : 4;
      const portkey = rateOf(setup, await setup.portkey(), seconds, false);
      const proxy = rateOf(setup, await setup.proxy(), seconds, false);
      const product = rateOf(setup, setup.product(), seconds, true);
      const what = 'chat completions, 0 ms upstream, 32 connections';
      const goal = { id: 'P6', what, unit: 'requests/s', better: 'more', must: 6, aim: 10 } as const;
      // Decides: P6 asks for more than a proxy reaches on two processors that keeps nothing.
      const bare = { ...goal, id: 'P6b', must: 0.35, aim: 0.5 } as const;
      return [
        report(bare, proxy, product, await alternate(proxy, product, rounds)),
        report(goal, portkey, product, await alternate(portkey, product, rounds)),
      ];
    }),
};

/** Milliseconds that a side adds to the upstream's own time, the median and the p99. */
function addedOf(setup: ChatSetup, side: ChatServer, seconds: number): Side {
  return {
    name: side.name,
    async round(): Promise<Sample> {
      const load = { connections: CONNECTIONS, seconds };
      const direct = await setup.load(setup.direct, load);
      const { p50, p99, errors, cpu } = await setup.load(side, load);
      return {
        value: p50 - direct.p50,
        extraValue: p99 - direct.p99,
        cpuMicros: cpu(),
        errors: errors + direct.errors,
      };
    },
  };
}

/** P8: the added latency. */
export const chatLatency: Bench = {
  name: 'chat-latency',
  description: 'P8: latency added to an upstream of 50 ms at 32 connections, against Portkey',
  run: (sizes) =>
    withSetup(sizes, 50, async (setup) => {
      const { tiny, rounds } = sizes;
      const seconds = tiny ? 0.1 : 4;
      const base = addedOf(setup, await setup.portkey(), seconds);
      const product = addedOf(setup, setup.product(), seconds);
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
          extraValue(outcome),
        ),
      ];
    }),
};

/** Milliseconds added until the first token, and the p99 of those added to the gap before every other one. */
function streamedOf(setup: ChatSetup, side: ChatServer, load: { connections: number; streams: number }): Side {
  return {
    name: side.name,
    async round(): Promise<Sample> {
      const direct = await setup.streams(setup.direct, load);
      const { firstToken, gapP99, errors, cpuMicros } = await setup.streams(side, load);
      return { value: firstToken - direct.firstToken, extraValue: gapP99, cpuMicros, errors: errors + direct.errors };
    },
  };
}

/**
 * Streams of each connection that a side serves before it is measured: a side measured with single streams would
 * otherwise be measured while it warms up. A stream takes at least 40 × 5 ms, so this takes 20 s a side and more.
 */
const WARM_UP = { connections: 32, streams: 100 };

async function warmUp(setup: ChatSetup, sides: readonly ChatServer[]): Promise<void> {
  for (const side of sides) {
    progress(`warming up ${side.name} with ${WARM_UP.connections * WARM_UP.streams} streams`);
    await setup.streams(side, WARM_UP);
  }
}

async function compareStreams(
  setup: ChatSetup,
  [proxy, ours]: [ChatServer, ChatServer],
  { tiny, rounds }: Sizes,
  connections: number,
): Promise<Verdict[]> {
  const load = { connections, streams: tiny ? 1 : connections === 1 ? 20 : 12 };
  const base = streamedOf(setup, proxy, load);
  const product = streamedOf(setup, ours, load);
  const outcome = await alternate(base, product, rounds);
  const added = { id: 'P9', unit: 'ms', better: 'less', must: 1.5, aim: 1.2 } as const;
  const at = `${connections} stream${connections > 1 ? 's' : ''} at once`;
  return [
    report({ ...added, what: `added time to first token, p50, ${at}` }, base, product, outcome),
    report({ ...added, what: `added between tokens, p99, ${at}` }, base, product, extraValue(outcome)),
  ];
}

/** P9: the delay of each forwarded token. */
export const chatStream: Bench = {
  name: 'chat-stream',
  description: 'P9: streaming, added time to the first token and between tokens, against Fastify + undici',
  run: (sizes) =>
    withSetup(sizes, 0, async (setup) => {
      const sides: [ChatServer, ChatServer] = [await setup.proxy(), setup.product()];
      if (!sizes.tiny) await warmUp(setup, sides);
      return [...(await compareStreams(setup, sides, sizes, 1)), ...(await compareStreams(setup, sides, sizes, 16))];
    }),
};
