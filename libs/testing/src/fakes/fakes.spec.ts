import OpenAI from 'openai';
import { eventually } from '../platform/platform.js';
import { seededRandom, startHttpTarget, startModelProvider, type ModelProvider } from './index.js';

describe('the fake model provider', () => {
  let provider: ModelProvider;
  const client = (apiKey = 'key') => new OpenAI({ apiKey, baseURL: provider.url, maxRetries: 0 });
  const ask = { model: 'm', messages: [{ role: 'user' as const, content: 'hello' }] };

  beforeEach(async () => {
    provider = await startModelProvider({ apiKey: 'key', models: ['m'] });
  });

  afterEach(() => provider.close());

  it('answers the official client', async () => {
    const answer = await client().chat.completions.create({ ...ask, n: 2 });
    expect(answer.choices.map(({ message }) => message.content)).toEqual(['echo: hello', 'echo: hello']);
    expect((await client().models.list()).data.map(({ id }) => id)).toEqual(['m']);
    expect(provider.calls.map(({ status, aborted }) => [status, aborted])).toEqual([
      [200, false],
      [200, false],
    ]);
  });

  it('streams text and tool calls to the official client', async () => {
    provider.answerWith(() => ({
      toolCalls: [
        { name: 'add', arguments: { a: 1 } },
        { name: 'sub', arguments: '{}' },
      ],
    }));
    const final = await client()
      .chat.completions.stream({ ...ask, stream_options: { include_usage: true } })
      .finalChatCompletion();
    expect(final.choices[0]!.finish_reason).toBe('tool_calls');
    expect(final.choices[0]!.message.tool_calls!.map((call) => 'function' in call && call.function.arguments)).toEqual([
      '{"a":1}',
      '{}',
    ]);
    expect(final.usage!.total_tokens).toBeGreaterThan(0);
  });

  it('refuses as OpenAI does', async () => {
    await expect(client('other').chat.completions.create(ask)).rejects.toMatchObject({
      status: 401,
      code: 'invalid_api_key',
    });
    const unknown = client().chat.completions.create({ ...ask, model: 'x' });
    await expect(unknown).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
    provider.answerWith(() => ({ error: { status: 429, message: 'slow down', retryAfter: 3 } }));
    await expect(client().chat.completions.create(ask)).rejects.toMatchObject({
      status: 429,
      type: 'rate_limit_error',
    });
  });

  it('records a disconnected caller, and closes although a reply hangs', async () => {
    provider.answerWith(() => ({ hang: true }));
    const caller = new AbortController();
    const refused = expect(client().chat.completions.create(ask, { signal: caller.signal })).rejects.toThrow();
    await eventually('the call has arrived', () => provider.calls.length === 1);
    caller.abort();
    await refused;
    await eventually('the disconnect is recorded', () => provider.calls[0]?.aborted);
    expect(provider.calls[0]).toMatchObject({ status: null, aborted: true });
  });

  it('fails at the same calls for the same seed', async () => {
    const statuses = async () => {
      const faulty = await startModelProvider({ errorRate: 0.3, seed: 7 });
      for (let turn = 0; turn < 20; turn += 1) {
        await fetch(`${faulty.url}/chat/completions`, { method: 'POST', body: JSON.stringify(ask) });
      }
      await faulty.close();
      return faulty.calls.map(({ status }) => status);
    };
    const once = await statuses();
    expect(new Set(once)).toEqual(new Set([200, 500]));
    expect(await statuses()).toEqual(once);
  });
});

describe('the fake HTTP target', () => {
  it('records every request as received and replies by script', async () => {
    const target = await startHttpTarget({ script: (call, index) => ({ status: 201 + index, body: call.path }) });
    const answers = [];
    for (const path of ['/a?b=c', '/d']) {
      const answer = await fetch(target.url + path, { method: 'PUT', headers: { 'x-one': '1' }, body: 'ü' });
      answers.push([answer.status, await answer.text()]);
    }
    expect(answers).toEqual([
      [201, '/a?b=c'],
      [202, '/d'],
    ]);
    expect(target.calls[0]).toMatchObject({ method: 'PUT', path: '/a?b=c', status: 201, body: Buffer.from('ü') });
    expect(target.calls[0]!.headers['x-one']).toBe('1');
    await target.close();
  });
});

describe('seeded random numbers', () => {
  it('repeat for a seed and fill the range', () => {
    const draw = (seed: number) => Array.from({ length: 1_000 }, seededRandom(seed));
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
    const mean = draw(3).reduce((sum, value) => sum + value, 0) / 1_000;
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.05);
  });
});
