import { costOf, simulated, type ChatRequest } from '@signalbox/llm';

const context = { signal: new AbortController().signal, timeoutMs: 1_000 };
const ask = (more: Partial<ChatRequest> = {}): ChatRequest => ({
  model: 'simulated-echo',
  messages: [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'first' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Hello ' },
        { type: 'text', text: '𝄞!' },
      ],
    },
    { role: 'assistant', content: null },
  ],
  ...more,
});
const contentOf = async (more: Partial<ChatRequest>) =>
  (await simulated().complete(ask(more), context)).choices[0]!.message.content;

describe('the simulated provider', () => {
  it('echoes the last user message and counts tokens by code points', async () => {
    const answer = await simulated().complete(ask(), context);
    expect(answer).toMatchObject({
      object: 'chat.completion',
      model: 'simulated-echo',
      system_fingerprint: 'simulated',
    });
    expect(answer.choices).toHaveLength(1);
    expect(answer.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: '[simulated] Hello 𝄞!' } });
    // 8 + 5 + 8 code points in the request, 20 in the answer.
    expect(answer.usage).toEqual({ prompt_tokens: 6, completion_tokens: 5, total_tokens: 11 });
  });

  it('answers in the requested format', async () => {
    expect(await contentOf({ response_format: { type: 'json_object' } })).toBe('{"simulated":true,"echo":"Hello 𝄞!"}');
    const schema = { type: 'object', required: ['verdict'], properties: { verdict: { enum: ['PASS', 'FAIL'] } } };
    expect(await contentOf({ response_format: { type: 'json_schema', json_schema: { name: 'v', schema } } })).toBe(
      '{"verdict":"PASS"}',
    );
    const endless = { type: 'json_schema' as const, json_schema: { name: 'v', schema: { $ref: '#' } } };
    await expect(contentOf({ response_format: endless })).rejects.toMatchObject({ kind: 'schema_too_large' });
  });

  it('calls a function only when it is named', async () => {
    const parameters = { type: 'object', required: ['q'], properties: { q: { type: 'string', minLength: 1 } } };
    const tools = [{ type: 'function' as const, function: { name: 'find', parameters } }];
    const choice = { type: 'function' as const, function: { name: 'find' } };
    const { choices } = await simulated().complete(ask({ tools, tool_choice: choice }), context);
    expect(choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { content: null } });
    expect(choices[0]!.message.tool_calls!.map((call) => call.function)).toEqual([
      { name: 'find', arguments: '{"q":"x"}' },
    ]);
    for (const tool_choice of ['auto', 'required', 'none', undefined] as const) {
      expect(
        (await simulated().complete(ask({ tools, tool_choice }), context)).choices[0]!.message.tool_calls,
      ).toBeUndefined();
    }
    const unknown = simulated().complete(
      ask({ tools, tool_choice: { type: 'function', function: { name: 'x' } } }),
      context,
    );
    await expect(unknown).rejects.toMatchObject({ status: 400 });
  });

  it('returns n answers and counts all of them', async () => {
    const answer = await simulated().complete(ask({ n: 3 }), context);
    expect(answer.choices.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(answer.usage!.completion_tokens).toBe(15);
  });

  it('streams the same text in several chunks, with usage on demand', async () => {
    const chunks = [];
    for await (const chunk of await simulated().stream(ask({ n: 2, stream_options: { include_usage: true } }), context))
      chunks.push(chunk);
    for (const index of [0, 1]) {
      const own = chunks.flatMap(({ choices }) => choices.filter((choice) => choice.index === index));
      expect(own.map(({ delta }) => delta.content ?? '').join('')).toBe('[simulated] Hello 𝄞!');
      expect(own.filter(({ delta }) => delta.content).length).toBeGreaterThan(2);
      expect(own.at(-1)!.finish_reason).toBe('stop');
    }
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 16 } });
    const plain = [];
    for await (const chunk of await simulated().stream(ask(), context)) plain.push(chunk);
    expect(plain.some((chunk) => 'usage' in chunk)).toBe(false);
  });

  it('streams a function call in several deltas under one index', async () => {
    const tools = [
      { type: 'function' as const, function: { name: 'find', parameters: { const: { long: 'enough to be cut' } } } },
    ];
    const deltas = [];
    for await (const { choices } of await simulated().stream(
      ask({ tools, tool_choice: { type: 'function', function: { name: 'find' } } }),
      context,
    )) {
      deltas.push(...(choices[0]!.delta.tool_calls ?? []));
    }
    expect(deltas.map((delta) => delta.function?.arguments).join('')).toBe('{"long":"enough to be cut"}');
    expect(deltas[0]).toMatchObject({ index: 0, type: 'function', function: { name: 'find' } });
  });

  it('lists one model', async () => {
    expect(await simulated().models(context)).toEqual(['simulated-echo']);
  });
});

describe('cost', () => {
  const usage = { prompt_tokens: 1_000, completion_tokens: 500, total_tokens: 1_500 };

  it.each([
    [usage, 2.5, 10, 0.0075],
    [usage, 2.5, null, 0.0025],
    [usage, 0, 0, 0],
    [usage, null, null, null],
    [{ ...usage, total_tokens: 9_500 }, 2.5, 10, 0.0875],
    [{ ...usage, total_tokens: 0 }, 2.5, 10, 0.0075],
    [null, 2.5, 10, null],
    [undefined, 2.5, 10, null],
  ])('%j at %p and %p is %p', (tokens, input, output, cost) => {
    expect(costOf(tokens, { input_price_per_mtok: input, output_price_per_mtok: output })).toBe(cost);
  });
});
