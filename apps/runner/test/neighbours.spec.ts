import { setTimeout as sleep } from 'node:timers/promises';
import { BusClient, serviceCaller } from '@signalbox/bus';
import { scripts } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { type AdmitResult, REPORT_MS, type ScriptResult } from '@signalbox/scripts';
import { executionOf, RecordingHost, RunnerWorld, TESTER } from './world.js';

let world: RunnerWorld;
beforeAll(async () => {
  world = await RunnerWorld.start({ SCRIPT_CPU_SECONDS: '60', SCRIPT_MEMORY_MB: '512' });
}, 60_000);
afterAll(() => world.stop());

const [BUSY, OTHER] = [1, 2];
const MB = 1_000_000;
/** Where the time that a script may take is not what is tested. */
const LONG_MS = 600_000;
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
    expect(await Promise.all(running)).toEqual(['done', 'done']);
    // On a slow machine some have waited for as long as they may.
    expect(['done', 'unavailable']).toEqual(expect.arrayContaining([...new Set(await Promise.all(waiting))]));
  }, 60_000);
});

describe('a script for which no process becomes free', () => {
  it('is refused while there is still time to run it and to report its end', async () => {
    const stop = new AbortController();
    const asked = new RecordingHost(() => new Promise(() => undefined));
    const running = [1, 2].map(() => statusOf(world.execute(executionOf(asking), asked, stop.signal)));
    await eventually('two run', () => asked.calls.length === 2);
    const limits = { timeout_ms: LONG_MS, memory_mb: 64 };
    const { company_id, argument, ...call } = executionOf(trivial, { limits });
    const deadline = Date.now() + LONG_MS + REPORT_MS;
    const input = { ...call, argument: JSON.stringify(argument) };
    const refused = new BusClient(world.connection).stream(
      scripts.endpoints.executeScript,
      input,
      serviceCaller(company_id, deadline),
    );
    expect(await statusOf(refused)).toBe('unavailable');
    expect(deadline - Date.now()).toBeGreaterThan(LONG_MS);
    stop.abort();
    expect(await Promise.all(running)).toEqual(['done', 'done']);
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
    expect(ended).toBeLessThan(10);
    expect((await Promise.all(compilations)).flat()).toEqual([]);
  }, 60_000);
});

describe('scripts that need much memory', () => {
  const needing = (memory_mb: number, company_id: number, script = asking) =>
    executionOf(script, { company_id, limits: { timeout_ms: LONG_MS, memory_mb } });

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

  it('hold others back no longer when their company waits no more', async () => {
    const [stop, left] = [new AbortController(), new AbortController()];
    const host = new RecordingHost(() => new Promise(() => undefined));
    const running = [world.execute(needing(64, BUSY), host, stop.signal)];
    await eventually('one runs', () => host.calls.length === 1);
    // The next process is ready by then, which would be another reason to start one.
    await sleep(2_000);
    // It does not fit beside that one, and its company has none.
    const large = world.execute(needing(384, OTHER, trivial), host, left.signal);
    running.push(world.execute(needing(64, BUSY), host, stop.signal));
    // The runner takes calls in order: with this reply both wait.
    await world.runner.languages();
    left.abort();
    expect(await large).toMatchObject({ status: 'lost' });
    await eventually('both run', () => host.calls.length === 2);
    stop.abort();
    await Promise.all(running);
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
    const sent = watchBytes('script-replies.>');
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
    const execution = executionOf(script, { limits: { timeout_ms: LONG_MS, memory_mb: 128 } });
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

describe('large arguments of host calls', () => {
  const putting = (count: number, length: number) => `async function execute(ctx) {
      const put = (key) => ctx.artifacts.put(key, 'x'.repeat(${length}));
      const all = await Promise.all(Array.from({ length: ${count} }, (_, n) => put('f' + n)));
      return all.map((each) => String(each).slice(0, 2)).join();
    }`;
  const limits = { timeout_ms: LONG_MS, memory_mb: 192 };
  /** A host whose calls are answered when the test says so. */
  const held = (): { host: RecordingHost; answer: () => void } => {
    let answer = (): void => undefined;
    const gate = new Promise<string>((resolve) => (answer = () => resolve('ok')));
    return { host: new RecordingHost(() => gate), answer: () => answer() };
  };

  it('are read up to what a script and its company may hold, and those of another company meanwhile', async () => {
    const arrived = watchBytes(`_INBOX.${TESTER}.>`);
    const { host, answer } = held();
    const first = { company_id: BUSY, limits: { ...limits, memory_mb: 96 } };
    const run = world.execute(executionOf(putting(6, 4 * MB), first), host);
    await eventually('as many are read as a script may hold', () => host.calls.length === 3);
    const other = await world.execute(
      executionOf(putting(1, 12 * MB), { company_id: OTHER, limits: { ...limits, memory_mb: 128 } }),
    );
    expect(other).toMatchObject({ status: 'completed' });
    const small = await world.execute(
      executionOf(putting(4, 1_000), { company_id: BUSY, limits: { ...limits, memory_mb: 16 } }),
    );
    expect(small).toMatchObject({ status: 'completed' });
    expect(host.calls).toHaveLength(3);
    expect(arrived.bytes()).toBeLessThan((3 * 4 + 12 + 2) * MB);
    answer();
    expect(await run).toMatchObject({ output: new Array(6).fill('ok').join() });
  }, 90_000);

  it('are read while results of the same script wait until it takes earlier ones', async () => {
    const host = new RecordingHost();
    const { signal } = new AbortController();
    host.call = async (_member: string, _args: unknown[], admit?: AdmitResult) => {
      await admit?.(50 * MB, signal);
      // Larger than what a pipe takes before it is read.
      return 'ok'.padEnd(MB);
    };
    expect(await world.execute(executionOf(putting(4, 12 * MB), { limits }), host)).toMatchObject({
      output: 'ok,ok,ok,ok',
    });
  }, 90_000);

  it('have memory of their own in the script for which a call waits', async () => {
    const nested: ScriptResult[] = [];
    const host = new RecordingHost(async () => {
      nested.push(await world.execute(executionOf(putting(2, 12 * MB), { limits, depth: 1 })));
      return 'ok';
    });
    const limited = { limits: { ...limits, memory_mb: 128 } };
    expect(await world.execute(executionOf(putting(2, 12 * MB), limited), host)).toMatchObject({ output: 'ok,ok' });
    expect(nested.map(({ status }) => status)).toEqual(['completed', 'completed']);
  }, 90_000);

  it('end to wait with their script: by its abort, and by its limit of time', async () => {
    // Two scripts of a company fit beside each other, and the arguments of one of them.
    const one = (timeout_ms: number) => executionOf(putting(1, 9 * MB), { limits: { timeout_ms, memory_mb: 64 } });
    const { host, answer } = held();
    const holding = world.execute(one(LONG_MS), host);
    await eventually('the arguments of the first are read', () => host.calls.length === 1);
    const arrived = watchBytes(`_INBOX.${TESTER}.>`);
    const late = new RecordingHost();
    const stop = new AbortController();
    const cancelled = world.execute(one(LONG_MS), late, stop.signal);
    await eventually('the second says that arguments come', () => arrived.bytes() > 100_000);
    stop.abort();
    expect(await cancelled).toMatchObject({ status: 'lost' });
    expect(await world.execute(one(4_000), late)).toMatchObject({ status: 'timed_out' });
    expect(late.calls).toEqual([]);
    answer();
    expect(await holding).toMatchObject({ output: 'ok' });
    expect(await world.execute(one(LONG_MS))).toMatchObject({ status: 'completed' });
  }, 120_000);
});

/** Counts the bytes that are published on the bus under subjects. */
function watchBytes(subjects: string): { bytes(): number } {
  let bytes = 0;
  world.connection.listen(subjects, ({ length }) => (bytes += length));
  return { bytes: () => bytes };
}
