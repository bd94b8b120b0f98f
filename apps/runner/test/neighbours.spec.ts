import { eventually } from '@signalbox/testing';
import type { AdmitResult } from '@signalbox/scripts';
import { executionOf, RecordingHost, RunnerWorld } from './world.js';

let world: RunnerWorld;
beforeAll(async () => {
  world = await RunnerWorld.start({ SCRIPT_CPU_SECONDS: '60', SCRIPT_MEMORY_MB: '512' });
}, 60_000);
afterAll(() => world.stop());

const [BUSY, OTHER] = [1, 2];
const MB = 1_000_000;
const never = new RecordingHost(() => new Promise(() => undefined));
const asking = 'async function execute(ctx) { await ctx.artifacts.get("x") }';
const trivial = 'function execute() { return 1 }';
const statusOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: { kind?: string }) => error.kind,
  );

describe('a company whose scripts fill their queue', () => {
  it('is refused at each depth by itself, and the scripts of another company run', async () => {
    const stop = new AbortController();
    const run = (depth: number) => world.execute(executionOf(asking, { company_id: BUSY, depth }), never, stop.signal);
    // Two run and a thousand wait.
    const running = [run(0), run(0)].map(statusOf);
    await eventually('two run', () => never.calls.length === 2);
    const waiting = Array.from({ length: 1_000 }, () => statusOf(run(0)));
    expect(await statusOf(run(0))).toBe('unavailable');
    expect(await world.execute(executionOf(trivial, { company_id: OTHER }))).toMatchObject({ output: 1 });
    const nested = executionOf(trivial, { company_id: BUSY, depth: 1 });
    expect(await world.execute(nested)).toMatchObject({ output: 1 });
    stop.abort();
    expect(new Set(await Promise.all([...running, ...waiting]))).toEqual(new Set(['done']));
  }, 60_000);
});

describe('a company that compiles one script after the other', () => {
  /** Some 90 KiB, which take the parser and the engine a while. */
  const large = `function execute() {}\n${'const f = [(x) => ({ ...x, a: [x?.b ?? 1] }), /x+/u];\n'.replace('f', 'f_N').repeat(1_500)}`;
  const source = (n: number) => large.replace(/f_N/g, () => `f${(n += 1)}`);

  it('does not make the compilations and scripts of another one wait for all of them', async () => {
    let ended = 0;
    const compilations = Array.from({ length: 10 }, (_, n) =>
      world.compile('javascript', source(n * 10_000), undefined, BUSY).then(({ problems }) => {
        ended += 1;
        return problems;
      }),
    );
    expect((await world.compile('javascript', trivial, undefined, OTHER)).problems).toEqual([]);
    expect(await world.execute(executionOf(trivial, { company_id: OTHER }))).toMatchObject({ output: 1 });
    expect(ended).toBeLessThan(5);
    expect((await Promise.all(compilations)).flat()).toEqual([]);
  }, 60_000);
});

describe('scripts that need much memory', () => {
  const needing = (memory_mb: number, company_id: number, script = asking) =>
    executionOf(script, { company_id, limits: { timeout_ms: 20_000, memory_mb } });

  it('wait while those that run may use what there is, and another company runs what fits', async () => {
    const stop = new AbortController();
    const host = new RecordingHost(() => new Promise(() => undefined));
    // Of 512 MB, one has half with its process; its second slot is free.
    const first = world.execute(needing(192, BUSY), host, stop.signal);
    await eventually('the first runs', () => host.calls.length === 1);
    const abort = new AbortController();
    const second = world.execute(needing(64, BUSY, trivial), host, abort.signal);
    expect(await world.execute(needing(64, OTHER, trivial))).toMatchObject({ output: 1 });
    abort.abort();
    expect(await second).toMatchObject({ status: 'lost' });
    stop.abort();
    await first;
    expect(await world.execute(needing(192, BUSY, trivial))).toMatchObject({ output: 1 });
  }, 60_000);

  it('are refused when the runner has less for all scripts together', async () => {
    expect(await world.execute(needing(512, OTHER))).toMatchObject({
      error_code: 'sandbox',
      message: 'a script with 512 MB of memory needs 576 MB; a runner has 512 MB for scripts',
    });
  });
});

describe('a script that asks for much and reads none of it', () => {
  it('is sent no more than one large reply, and gets the others when it reads', async () => {
    const sent = watchReplies();
    const host = new RecordingHost(() => 'x'.repeat(4 * MB));
    let before = -1;
    // The line comes before the script takes anything.
    host.log = () => (before = sent.bytes());
    const script = `async function execute(ctx) {
      const all = [1, 2, 3, 4].map(() => ctx.artifacts.get('x'));
      const end = Date.now() + 1_000;
      while (Date.now() < end);
      ctx.log('info', 'now');
      return (await Promise.all(all)).map((each) => each.length);
    }`;
    const execution = executionOf(script, { limits: { timeout_ms: 20_000, memory_mb: 128 } });
    expect(await world.execute(execution, host)).toMatchObject({ output: new Array(4).fill(4 * MB) });
    expect(before).toBeGreaterThanOrEqual(0);
    expect(before).toBeLessThan(8 * MB);
    expect(sent.bytes()).toBeGreaterThan(16 * MB);
  }, 60_000);
});

describe('large results of host calls', () => {
  it('are read one by one for a script, until it has taken each', async () => {
    let read = 0;
    const seen: unknown[] = [];
    const host = new RecordingHost();
    host.log = (_level, message) => seen.push([message, read]);
    const { signal } = new AbortController();
    host.call = async (_member: string, _args: unknown[], admit?: AdmitResult) => {
      await admit?.(50 * MB, signal);
      return String(++read).repeat(MB);
    };
    const script = `async function execute(ctx) {
      const all = [1, 2, 3].map(() => ctx.artifacts.get('x'));
      const end = Date.now() + 500;
      while (Date.now() < end);
      ctx.log('info', 'busy');
      return (await Promise.all(all)).map((each) => each[0]).join();
    }`;
    expect(await world.execute(executionOf(script), host)).toMatchObject({ output: '1,2,3' });
    expect(seen).toEqual([['busy', 1]]);
  }, 60_000);
});

/** Counts the bytes of replies to host calls that are published on the bus. */
function watchReplies(): { bytes(): number } {
  let bytes = 0;
  world.connection.listen('script-replies.>', ({ length }) => (bytes += length));
  return { bytes: () => bytes };
}
