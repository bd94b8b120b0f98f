import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { ScriptHostError } from '@signalbox/scripts';
import { executionOf, RecordingHost, RunnerWorld } from './world.js';

let world: RunnerWorld;
beforeAll(async () => {
  world = await RunnerWorld.start();
}, 60_000);
afterAll(() => world.stop());

/** The priorities, as `nice` counts, of all processes that a process has started, directly or not. */
function prioritiesBelow(root: number): number[] {
  const stats = readdirSync('/proc').flatMap((pid) => {
    try {
      const stat = /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/stat`, 'latin1') : '';
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return stat ? [{ pid: Number(pid), parent: Number(fields[1]), priority: Number(fields[16]) }] : [];
    } catch {
      return [];
    }
  });
  const below = (parent: number): number[] =>
    stats.filter((each) => each.parent === parent).flatMap(({ pid, priority }) => [priority, ...below(pid)]);
  return below(root);
}

const outputOf = async (script: string, argument: object = { input: null }, host = new RecordingHost()) => {
  // Megabytes take a slow machine long.
  const limits = { timeout_ms: 120_000, memory_mb: 64 };
  const result = await world.execute(executionOf(script, { argument, limits }), host);
  if (result.status !== 'completed') throw new Error(JSON.stringify(result));
  return result.output;
};

describe('a script', () => {
  it.each([
    ['function execute(ctx) { return ctx.input.a + 1 }', { input: { a: 1 } }, 2],
    ['export async function execute(ctx) { return [ctx.session_id, ctx.params] }', { session_id: 's' }, ['s', {}]],
    ['const execute = (ctx) => ({ n: ctx.messages.length })', {}, { n: 0 }],
    ['export const execute = async ({ run }) => run.version', { run: { version: '1.0.0' } }, '1.0.0'],
    ['function execute() {}', {}, null],
    ['export default function execute() { return undefined }', {}, null],
    ['const twice = (n) => n * 2; const base = await twice(2); function execute() { return base }', {}, 4],
  ])('%s returns its value as JSON', async (script, argument, expected) => {
    expect(await outputOf(script, argument)).toEqual(expected);
  });

  it('runs in TypeScript', async () => {
    const script =
      'type In = { a: number };\nexport async function execute(ctx: { input: In }): Promise<number> { return ctx.input.a as number }';
    const execution = executionOf(script, { language: 'typescript', argument: { input: { a: 3 } } });
    expect(await world.execute(execution)).toMatchObject({ status: 'completed', output: 3 });
  });

  it('draws other random numbers than earlier runs of its process', async () => {
    const script = 'function execute() { return [Math.random(), Math.random(), Object.keys(Math).length] }';
    const drawn = [await outputOf(script), await outputOf(script), await outputOf(script)] as number[][];
    expect(new Set(drawn.flatMap(([one, other]) => [one, other])).size).toBe(6);
    for (const [one = -1, other = -1, listed] of drawn) {
      expect(Math.min(one, other)).toBeGreaterThanOrEqual(0);
      expect(Math.max(one, other)).toBeLessThan(1);
      expect(listed).toBe(0);
    }
  });

  it('draws numbers, bytes and identifiers that cannot be predicted', async () => {
    const script = `function execute(ctx) {
      const filled = crypto.getRandomValues(new Uint16Array(50));
      const refused = [[], new Float64Array(1), new Uint8Array(65_537)].map((given) => {
        try { crypto.getRandomValues(given); return 'filled' } catch (error) { return error.name }
      });
      return { number: ctx.random(), filled: [...filled], uuid: crypto.randomUUID(), refused };
    }`;
    interface Drawn {
      number: number;
      filled: number[];
      uuid: string;
      refused: string[];
    }
    const [one, other] = [(await outputOf(script)) as Drawn, (await outputOf(script)) as Drawn];
    expect(one.refused).toEqual(['TypeError', 'TypeError', 'RangeError']);
    expect(one.uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect([one.number, one.number < 1, other.number === one.number]).toEqual([expect.any(Number), true, false]);
    expect(other.uuid).not.toBe(one.uuid);
    // Some hundred different values of 65,536 each.
    expect(new Set([...one.filled, ...other.filled]).size).toBeGreaterThan(90);
  });

  it('finds a memory of the first size after one that needed more', async () => {
    const large = "function execute() { const kept = 'x'.repeat(2e7); return kept.length }";
    expect([await outputOf(large), await outputOf('function execute() { return 1 }')]).toEqual([2e7, 1]);
  });

  it('calls the host with plain values, two calls at once', async () => {
    const open: (() => void)[] = [];
    const host = new RecordingHost((member, args) => {
      if (member !== 'http.fetch') return { member, args };
      // Neither is replied to before both have arrived.
      return new Promise((resolve) => {
        open.push(() => resolve({ url: args[0] }));
        if (open.length === 2) for (const reply of open) reply();
      });
    });
    const script = `async function execute(ctx) {
      const [a, b] = await Promise.all([ctx.http.fetch('a', { method: 'POST' }), ctx.http.fetch('b')]);
      return [a.url, b.url, await ctx.agents.invoke('helper', { message: 'x' }), await ctx.artifacts.get('k')];
    }`;
    expect(await outputOf(script, {}, host)).toEqual([
      'a',
      'b',
      { member: 'agents.invoke', args: ['helper', { message: 'x' }] },
      { member: 'artifacts.get', args: ['k'] },
    ]);
    expect(host.calls.slice(0, 2)).toEqual([
      { member: 'http.fetch', args: ['a', { method: 'POST' }] },
      { member: 'http.fetch', args: ['b'] },
    ]);
  });

  it('sees the error of a host call as an exception of that name, and nothing of any other error', async () => {
    const host = new RecordingHost((member) => {
      if (member === 'chat.completions.create') throw new ScriptHostError('ProviderError', 'overloaded', 529);
      throw new Error('SELECT secret FROM inside');
    });
    const script = `async function execute(ctx) {
      const caught = [];
      for (const call of [() => ctx.chat.completions.create({}), () => ctx.http.fetch('x')])
        try { await call() } catch (error) { caught.push([error instanceof Error, error.name, error.message, error.status]) }
      return caught;
    }`;
    expect(await outputOf(script, {}, host)).toEqual([
      [true, 'ProviderError', 'overloaded', 529],
      [true, 'HostError', 'http.fetch failed', null],
    ]);
  });

  it('iterates over the chunks of a stream, and closes one that it does not read to its end', async () => {
    const parts = [[1, 2], [], [3]];
    const host = new RecordingHost((member) => {
      if (member === 'chat.completions.stream') return 7;
      if (member === 'chat.completions.close') return null;
      return { chunks: parts.shift() ?? [], done: parts.length === 0 };
    });
    const script = `async function execute(ctx) {
      const seen = [];
      for await (const chunk of ctx.chat.completions.stream({ model: 'm' })) seen.push(chunk);
      const stream = ctx.chat.completions.stream({});
      const both = await Promise.all([stream.next(), stream.next()]);
      return [seen, both, await stream.next()];
    }`;
    const end = { done: true };
    expect(await outputOf(script, {}, host)).toEqual([[1, 2, 3], [end, end], end]);
    expect(host.calls.map(({ member, args }) => [member.split('.').at(-1), ...args])).toEqual([
      ['stream', { model: 'm' }],
      ...new Array<unknown[]>(3).fill(['read', 7]),
      ['stream', {}],
      ['read', 7],
    ]);
    parts.push([1, 2], [3]);
    const left = new RecordingHost((member) =>
      member === 'chat.completions.read' ? { chunks: parts.shift(), done: false } : 8,
    );
    const leaving = `async function execute(ctx) {
      const stream = ctx.chat.completions.stream({});
      for await (const chunk of stream) if (chunk === 3) break;
      return stream.next();
    }`;
    expect(await outputOf(leaving, {}, left)).toEqual(end);
    expect(left.calls.map(({ member }) => member.split('.').at(-1))).toEqual(['stream', 'read', 'read', 'close']);
  });

  it('sees the failure of a stream once, as an exception of its read', async () => {
    const host = new RecordingHost((member) => {
      if (member === 'chat.completions.stream') return 1;
      throw new ScriptHostError('ProviderError', 'cut', 502);
    });
    const script = `async function execute(ctx) {
      const stream = ctx.chat.completions.stream({});
      return [await stream.next().catch((error) => [error.name, error.status]), await stream.next()];
    }`;
    expect(await outputOf(script, {}, host)).toEqual([['ProviderError', 502], { done: true }]);
    const refusing = new RecordingHost(() => {
      throw new ScriptHostError('TypeError', 'no');
    });
    const unread = `async function execute(ctx) { ctx.chat.completions.stream({}); await ctx.artifacts.get('k').catch(() => 0); return 1 }`;
    expect(await outputOf(unread, {}, refusing)).toBe(1);
  });

  it('reads a secret without await, and null for one that was not given', async () => {
    const host = new RecordingHost((_, [name]) => `value of ${String(name)}`);
    const script = "function execute(ctx) { return [ctx.secrets.get('KEY'), ctx.secrets.get('OTHER')] }";
    expect(await outputOf(script, { secret_names: ['KEY'] }, host)).toEqual(['value of KEY', null]);
    expect(host.calls).toEqual([{ member: 'secrets.get', args: ['KEY'] }]);
  });

  it('reads a secret while other calls are open', async () => {
    const host = new RecordingHost((member) => member);
    const script = `async function execute(ctx) {
      const fetched = ctx.http.fetch('a');
      const secret = ctx.secrets.get('KEY');
      return [await fetched, secret];
    }`;
    expect(await outputOf(script, { secret_names: ['KEY'] }, host)).toEqual(['http.fetch', 'secrets.get']);
  });

  it('reads a secret while as many calls are open as it may have', async () => {
    let release: (value: null) => void = () => undefined;
    const held = new Promise((resolve) => (release = resolve));
    const host = new RecordingHost((member) => {
      if (member !== 'secrets.get') return held;
      release(null);
      return 'value';
    });
    const script = `async function execute(ctx) {
      const calls = Array.from({ length: 70 }, (_, n) => ctx.http.fetch('x' + n));
      const secret = ctx.secrets.get('KEY');
      return [secret, (await Promise.all(calls)).length];
    }`;
    expect(await outputOf(script, { secret_names: ['KEY'] }, host)).toEqual(['value', 70]);
  });

  it('has no call open whose arguments are too long', async () => {
    const script = `async function execute(ctx) {
      const { name } = await ctx.artifacts.put('k', 'x'.repeat(16777216)).catch((error) => error);
      ctx.log('info', name);
      await new Promise(() => undefined);
    }`;
    const host = new RecordingHost();
    expect(await world.execute(executionOf(script), host)).toMatchObject({
      ...{ status: 'failed', error_code: 'script_error' },
      message: 'the script waits for a promise that nothing settles',
    });
    expect([host.logs, host.calls]).toEqual([['info RangeError'], []]);
  });

  it('logs and emits in order', async () => {
    const host = new RecordingHost();
    const script = `function execute(ctx) {
      ctx.log('info', 'one'); ctx.log('error', { two: 2 }); ctx.emit({ n: 1 }); ctx.emit([2]);
    }`;
    await outputOf(script, {}, host);
    expect(host.logs).toEqual(['info one', 'error {"two":2}']);
    expect(host.events).toEqual([{ n: 1 }, [2]]);
  });

  it('cuts long lines of its log', async () => {
    const host = new RecordingHost();
    await outputOf(
      "function execute(ctx) { ctx.log('info', 'x'.repeat(2e7)); ctx.log('info', { a: 'x'.repeat(2e7) }); ctx.log('info', 'on') }",
      {},
      host,
    );
    expect(host.logs.map(({ length }) => length)).toEqual([8197, 8197, 7]);
  });

  it('runs a step once and takes its kept result afterwards', async () => {
    const kept = new Map<unknown, unknown>([['known', 'kept']]);
    const host = new RecordingHost((member, [name, result]) => {
      if (member === 'step.end') return void kept.set(name, result);
      return kept.has(name) ? { done: true, result: kept.get(name) } : { done: false };
    });
    const script = `async function execute(ctx) {
      let ran = 0;
      const known = await ctx.step('known', () => { ran++ });
      const made = await ctx.step('made', async () => { ran++; return { at: new Date(0) } });
      return { known, made, ran };
    }`;
    expect(await outputOf(script, {}, host)).toEqual({
      known: 'kept',
      made: { at: '1970-01-01T00:00:00.000Z' },
      ran: 1,
    });
    expect(kept.get('made')).toEqual({ at: '1970-01-01T00:00:00.000Z' });
    const twice = "async function execute(ctx) { await ctx.step('a', () => 1); await ctx.step('a', () => 1) }";
    const result = await world.execute(executionOf(twice), host);
    expect(result).toMatchObject({ error_code: 'script_error', message: expect.stringMatching(/"a" exists already/) });
  });

  it('transforms a session', async () => {
    const script = 'export function transform_session(session) { return session.messages.length }';
    const execution = executionOf(script, { entry: 'transform_session', argument: { messages: [1, 2] } });
    expect(await world.execute(execution)).toMatchObject({ status: 'completed', output: 2 });
  });

  it.each([
    [
      'an exception',
      'function execute() {\n  null.x\n}',
      'script_error',
      "TypeError: cannot read property 'x' of null",
      2,
    ],
    ['a thrown value', 'function execute() { throw { a: 1 } }', 'script_error', '{"a":1}', undefined],
    [
      'a promise without an end',
      'function execute() { return new Promise(() => {}) }',
      'script_error',
      'the script waits for a promise that nothing settles',
      undefined,
    ],
    ['a syntax error', 'function execute() {\n  let x = ;\n}', 'script_invalid', 'Unexpected token', 2],
    [
      'a long exception',
      "function execute() { throw new Error('x'.repeat(2e7)) }",
      'script_error',
      expect.stringMatching(/^Error: x{1900,}…$/),
      1,
    ],
    [
      'an output that is not JSON',
      'function execute() { return 1n }',
      'script_error',
      expect.stringMatching(/^TypeError: /),
      undefined,
    ],
    [
      'too much memory',
      'function execute() { const a = []; for (;;) a.push(new Array(1e5).fill(a.length)) }',
      'sandbox',
      expect.stringMatching(/memory/),
      expect.anything(),
    ],
  ])('fails with %s', async (_, script, error_code, message, line) => {
    const result = await world.execute(executionOf(script));
    expect(result).toMatchObject({ status: 'failed', error_code, message });
    expect((result as { line?: number }).line).toEqual(line);
  });

  it('is killed at its time limit, at its processor limit, and when it is aborted', async () => {
    const endless = 'function execute() { for (;;); }';
    const timed = await world.execute(executionOf(endless, { limits: { timeout_ms: 300, memory_mb: 64 } }));
    expect(timed).toMatchObject({ status: 'timed_out', message: 'the script did not end within 0.3 s' });
    // A process that computes gives way to all others: on a busy machine its second takes much longer.
    const busy = await world.execute(executionOf(endless, { limits: { timeout_ms: 600_000, memory_mb: 64 } }));
    expect(busy).toMatchObject({ error_code: 'sandbox', message: 'the script used more than 1 s of processor time' });
    const controller = new AbortController();
    const host = new RecordingHost(() => controller.abort());
    const asking = 'async function execute(ctx) { ctx.http.fetch("x"); await ctx.http.fetch("y"); for (;;); }';
    const aborted = await world.execute(executionOf(asking), host, controller.signal);
    expect(aborted).toEqual({ status: 'lost', message: 'the execution was aborted' });
  }, 600_000);

  it('sends and receives values of several megabytes', async () => {
    const host = new RecordingHost((_, args) => ({ text: 'x'.repeat(4_000_000), sent: String(args[1]).length }));
    const script = `async function execute(ctx) {
      const reply = await ctx.artifacts.put('k', 'ä'.repeat(2_000_000));
      return { length: reply.text.length, sent: reply.sent, text: reply.text.slice(0, 1_000_000) };
    }`;
    const output = (await outputOf(script, {}, host)) as { length: number; sent: number; text: string };
    expect([output.length, output.sent, output.text.length]).toEqual([4_000_000, 2_000_000, 1_000_000]);
  });

  it.each([
    ['than a script takes', 'x'.repeat(10_500_000)],
    ['than the bus carries, with its quotes escaped', '"'.repeat(4_500_000)],
  ])('fails when its input is larger %s', async (_, input) => {
    const result = await world.execute(executionOf('function execute() {}', { argument: { input } }));
    expect(result).toMatchObject({
      ...{ status: 'failed', error_code: 'sandbox' },
      message: expect.stringMatching(/^the input of the script is too large: /),
    });
  });
});

describe('compiling', () => {
  it.each([
    ['function execute(ctx) {}', [], false],
    ['function execute() {}', [], false],
    ['function execute() {;}', [], false],
    ['const transform_session = (s) => s; async function execute() {}', [], true],
    ['let x = 1', [{ message: 'the script has no top-level function execute' }], false],
    [
      "import fs from 'fs'; function execute() {}",
      [{ line: 1, column: 1, message: 'a script cannot import anything' }],
      false,
    ],
    [
      'function execute() {\n return import("x") }',
      [{ line: 2, column: 9, message: 'a script cannot import anything' }],
      false,
    ],
    [
      'function execute() {}\nfunction execute() {}',
      [{ line: 2, column: 10, message: "Identifier 'execute' has already been declared" }],
      false,
    ],
    ['function execute() {\n  let x = ;\n}', [{ line: 2, column: 11, message: 'Unexpected token' }], false],
  ])('%s', async (script, problems, has_transform_session) => {
    expect(await world.compile('javascript', script)).toEqual({ problems, has_transform_session });
  });

  it('runs nothing, and checks the separate script of transform_session', async () => {
    const endless = 'for (;;); function execute() {}';
    const compiled = await world.compile('javascript', endless, 'function transform_session( {');
    expect(compiled.problems).toEqual([{ line: 1, column: 30, message: 'transform_session: Unexpected token' }]);
    expect(await world.compile('javascript', endless, 'function transform_session() {}')).toEqual({
      problems: [],
      has_transform_session: true,
    });
  });

  it('keeps its priority however long it takes: others have the processor time that they need', async () => {
    const long = Array.from({ length: 4000 }, (_, at) => `function f${at}(a: number) { return a + ${at}; }`);
    const compiled = await world.compile('typescript', `${long.join('\n')}\nfunction execute() {}`);
    expect(compiled.problems).toEqual([]);
    const own = getPriority();
    const priorities = prioritiesBelow(world.process.pid);
    expect([priorities.length > 0, priorities.filter((priority) => priority > own)]).toEqual([true, []]);
  });

  it('takes TypeScript after a script that is nested too deeply for its compiler', async () => {
    const nested = `let a: number = ${'('.repeat(20_000)}1${')'.repeat(20_000)}; function execute() {}`;
    for (let n = 0; n < 2; n++) {
      expect((await world.compile('typescript', nested)).problems).toHaveLength(1);
      expect((await world.compile('typescript', 'function execute() {}')).problems).toEqual([]);
    }
  }, 60_000);

  it('reports lines and columns of TypeScript as written', async () => {
    const compiled = await world.compile(
      'typescript',
      'type A = {\n b: number }\nfunction execute(x: A) { return  }; enum E {}',
    );
    expect(compiled.problems).toEqual([{ line: 3, column: 37, message: 'TypeScript enum is not supported' }]);
  });
});

describe('a function that scores', () => {
  const score = async (script: string, argument: object = { output: 'x' }, host = new RecordingHost()) =>
    world.execute(executionOf(script, { entry: 'score', argument }), host);

  it('gets its item alone, and prints', async () => {
    const host = new RecordingHost();
    const script = `const limit = 2;
      export function score(item) {
        console.log('the output', { of: item.output }, 1n, undefined);
        console.error(limit);
        return { keys: Object.keys(item), host: typeof ctx, more: typeof item.log, pass: true };
      }`;
    const output = { keys: ['output', 'n'], host: 'undefined', more: 'undefined', pass: true };
    expect(await score(script, { output: 'x', n: 1 }, host)).toMatchObject({ status: 'completed', output });
    expect(host.logs).toEqual(['info the output {"of":"x"} 1 null', 'error 2']);
    expect(host.calls).toEqual([]);
  });

  it('finds nothing of the item before', async () => {
    const script =
      'let seen = 0; function score() { globalThis.kept = (globalThis.kept ?? 0) + 1; return [++seen, kept]; }';
    for (let n = 0; n < 3; n++) expect(await score(script)).toMatchObject({ output: [1, 1] });
  });

  it('is required of a script that scores, and of no other', async () => {
    const compile = async (script: string, entry: 'execute' | 'score') =>
      (await world.compile('javascript', script, undefined, 1, entry)).problems.map(({ message }) => message);
    expect(await compile('function score() {}', 'score')).toEqual([]);
    expect(await compile('function execute() {}', 'score')).toEqual(['the script has no top-level function score']);
    expect(await compile('async function execute() {}\nlet score;', 'execute')).toEqual([]);
  });
});
