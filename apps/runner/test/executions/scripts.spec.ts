import { executionOf, RecordingHost } from '../world.js';
import { world, outputOf } from './fixture.js';

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
