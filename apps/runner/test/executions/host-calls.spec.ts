import { ScriptHostError } from '@signalbox/scripts';
import { executionOf, RecordingHost } from '../world.js';
import { world, outputOf } from './fixture.js';

describe('a script and its host', () => {
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
});
