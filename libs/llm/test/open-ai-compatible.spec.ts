import { Egress } from '@signalbox/egress';
import { Circuits, openAiCompatible, type ChatRequest, type OpenAiCompatibleOptions } from '@signalbox/llm';
import { startModelProvider, type ModelProvider, timeScale } from '@signalbox/testing';

const KEY = 'sk-very-secret-key-123';
const ASK: ChatRequest = { model: 'gpt', messages: [{ role: 'user', content: 'Grüße, Welt — how are you?' }] };

describe('an OpenAI-compatible provider', () => {
  let world: ModelProvider;
  let egress: Egress;
  const quick = { baseMs: 1, capMs: 5 };
  const provider = (more: Partial<OpenAiCompatibleOptions> = {}) =>
    openAiCompatible({ baseUrl: world.url, apiKey: KEY, egress, retry: quick, ...more });
  const context = (timeoutMs = 5_000, signal = new AbortController().signal) => ({ timeoutMs, signal });
  const chunksOf = async (request: ChatRequest, timeoutMs?: number) => {
    const chunks = [];
    for await (const chunk of await provider().stream(request, context(timeoutMs))) chunks.push(chunk);
    return chunks;
  };

  beforeEach(async () => {
    world = await startModelProvider({ apiKey: KEY });
    egress = new Egress({ allow: ['127.0.0.0/8'] });
  });

  afterEach(async () => {
    await egress.close();
    await world.close();
  });

  it('completes and forwards unknown keys', async () => {
    const answer = await provider({ headers: { 'X-Org': 'acme' } }).complete({ ...ASK, top_k: 4 }, context());
    expect(answer.choices[0]!.message.content).toBe('echo: Grüße, Welt — how are you?');
    expect(world.calls[0]).toMatchObject({ status: 200, body: { model: 'gpt', top_k: 4, stream: false } });
    expect(world.calls[0]!.headers['x-org']).toBe('acme');
  });

  it('returns tool calls', async () => {
    world.answerWith(() => ({ toolCalls: [{ name: 'add', arguments: { a: 1 } }] }));
    const { choices } = await provider().complete(ASK, context());
    expect(choices[0]!.finish_reason).toBe('tool_calls');
    expect(choices[0]!.message.tool_calls![0]!.function).toEqual({ name: 'add', arguments: '{"a":1}' });
  });

  it('streams, usage included', async () => {
    const chunks = await chunksOf({ ...ASK, stream_options: { include_usage: true } });
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toContain('Grüße, Welt —');
    expect(chunks.length).toBeGreaterThan(3);
    expect(chunks.at(-1)!.usage!.total_tokens).toBeGreaterThan(0);
  });

  it('uses one connection for streams that follow each other', async () => {
    const ports = new Set<number>();
    world.answerWith(() => 'hi');
    for (let turn = 0; turn < 3; turn += 1) {
      await chunksOf(ASK);
      await new Promise((resolve) => setTimeout(resolve, 20));
      ports.add(world.calls.at(-1)!.remotePort);
    }
    expect(ports.size).toBe(1);
  });

  it('lists models', async () => {
    expect(await provider().models(context())).toEqual(['fake-model']);
  });

  it.each([408, 429, 500, 502, 503])('retries after %i, at most twice', async (status) => {
    world.answerWith((_, index) => (index < 2 ? { error: { status } } : 'late'));
    expect((await provider().complete(ASK, context())).choices[0]!.message.content).toBe('late');
    world.answerWith(() => ({ error: { status, message: 'no' } }));
    await expect(provider().complete(ASK, context())).rejects.toMatchObject({ kind: 'provider_error', status });
    expect(world.calls).toHaveLength(6);
  });

  it.each([400, 401, 403, 404, 409, 422])('does not retry after %i', async (status) => {
    world.answerWith(() => ({ error: { status, message: 'not like this' } }));
    const call = provider().complete(ASK, context());
    await expect(call).rejects.toMatchObject({
      status,
      failureClass: 'provider',
      message: expect.stringContaining('not like this'),
    });
    expect(world.calls).toHaveLength(1);
  });

  it('retries after a broken connection', async () => {
    world.answerWith((_, index) => (index === 0 ? { reset: true } : 'back'));
    expect((await provider().complete(ASK, context())).choices[0]!.message.content).toBe('back');
  });

  it('waits for the time in Retry-After', async () => {
    world.answerWith((_, index) => (index === 0 ? { error: { status: 429, retryAfter: 1 } } : 'now'));
    await provider().complete(ASK, context());
    expect(world.calls[1]!.startedAt - world.calls[0]!.endedAt!).toBeGreaterThanOrEqual(950);
  });

  it('fails at once when Retry-After exceeds the remaining time', async () => {
    world.answerWith(() => ({ error: { status: 429, retryAfter: 30 } }));
    const call = provider().complete(ASK, context(2_000));
    await expect(call).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 30 });
    expect(world.calls).toHaveLength(1);
  });

  it('ends in time with the class timeout', async () => {
    world.answerWith(() => ({ hang: true }));
    const started = Date.now();
    await expect(provider().complete(ASK, context(200))).rejects.toMatchObject({
      failureClass: 'timeout',
      code: 'timeout',
    });
    await expect(chunksOf(ASK, 200)).rejects.toMatchObject({ failureClass: 'timeout' });
    // Two time limits of 200 ms; the hanging provider never replies.
    expect(Date.now() - started).toBeLessThan(10_000 * timeScale());
    expect(world.calls).toHaveLength(2);
  });

  it('ends when its caller aborts, during a call and during a delay', async () => {
    world.answerWith((_, index) => (index === 0 ? { hang: true } : { error: { status: 503, retryAfter: 3 } }));
    for (let turn = 0; turn < 2; turn += 1) {
      const call = provider().complete(ASK, context(5_000, AbortSignal.timeout(100)));
      await expect(call).rejects.toMatchObject({ kind: 'provider_error' });
    }
  });

  it('never exposes its key, whatever the provider returns', async () => {
    world.answerWith(() => ({ error: { status: 400, message: `key ${KEY} ${Buffer.from(KEY).toString('base64')}` } }));
    const call = provider().complete(ASK, context());
    await expect(call).rejects.toMatchObject({ message: 'the provider answered 400: key [secret] [secret]' });
    world.answerWith(() => `your key is ${KEY}`);
    expect(JSON.stringify((await provider().complete(ASK, context())).choices)).not.toContain(KEY);
  });

  it('keeps messages under 2 KB', async () => {
    world.answerWith(() => ({ error: { status: 400, message: 'é'.repeat(5_000) } }));
    const error = await provider()
      .complete(ASK, context())
      .catch((thrown: Error) => thrown);
    expect(Buffer.byteLength((error as Error).message)).toBeLessThanOrEqual(2_048);
  });

  it.each([
    ['a page', { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' }],
    ['other JSON', { status: 200, headers: { 'content-type': 'application/json' }, body: '{"a":1}' }],
    ['nothing', { status: 200, headers: {}, body: '' }],
  ])('reports %s as an invalid response', async (_, raw) => {
    world.answerWith(() => ({ raw }));
    await expect(provider().complete(ASK, context())).rejects.toMatchObject({ code: 'invalid_response' });
    await expect(chunksOf(ASK)).rejects.toMatchObject({ code: 'invalid_response' });
  });

  it('reports the error of an answer whose status says success', async () => {
    const body = '{"id":"gen-1","error":{"code":429,"message":"rate limited upstream"}}';
    world.answerWith(() => ({ raw: { status: 200, headers: { 'content-type': 'application/json' }, body } }));
    await expect(provider().complete(ASK, context())).rejects.toMatchObject({
      code: 'provider_error',
      message: 'the provider failed while answering: rate limited upstream',
    });
  });

  it('distinguishes a truncated stream from a complete one', async () => {
    world.answerWith(() => ({ text: 'a long enough answer to be cut somewhere', cutAfterChunks: 2 }));
    const seen: string[] = [];
    const reading = (async () => {
      for await (const chunk of await provider().stream(ASK, context()))
        seen.push(chunk.choices[0]!.delta.content ?? '');
    })();
    await expect(reading).rejects.toMatchObject({ code: 'stream_interrupted' });
    expect(seen.join('')).toBe('a long enoug');
    expect(world.calls).toHaveLength(1);
  });

  it('reports an error frame in a stream', async () => {
    const body = ': hello\r\n\r\ndata: {"error":{"message":"overloaded"}}\r\n\r\n';
    world.answerWith(() => ({ raw: { status: 200, headers: { 'content-type': 'text/event-stream' }, body } }));
    await expect(chunksOf(ASK)).rejects.toMatchObject({
      code: 'provider_error',
      message: expect.stringContaining('overloaded'),
    });
  });

  it('refuses a private address that is not permitted', async () => {
    const strict = new Egress({ allow: [] });
    const call = openAiCompatible({ baseUrl: world.url, egress: strict }).complete(ASK, context());
    await expect(call).rejects.toMatchObject({ code: 'egress_denied' });
    const allowed = openAiCompatible({
      baseUrl: world.url,
      apiKey: KEY,
      egress: strict,
      allow: [`127.0.0.1:${world.port}`],
    });
    expect((await allowed.complete(ASK, context())).object).toBe('chat.completion');
    await strict.close();
    expect(world.calls).toHaveLength(1);
  });

  const codeOf = (call: Promise<unknown>): Promise<string> =>
    call.then(
      () => 'well',
      (error: { code: string }) => error.code,
    );

  it('stops calling a model that fails, while other models of the same host are called', async () => {
    const circuits = new Circuits();
    const calls = () => provider({ circuits, companyId: 1 });
    world.answerWith(({ model }) => (model === 'ill' ? { error: { status: 500 } } : 'well'));
    const ill = { ...ASK, model: 'ill' };
    for (let turn = 0; turn < 12; turn += 1) await codeOf(calls().complete(ill, context()));
    expect(await codeOf(calls().complete(ill, context()))).toBe('circuit_open');
    const refused = await calls()
      .complete(ill, context())
      .catch((error: { retryAfterSeconds: number }) => error);
    expect(refused).toMatchObject({ failureClass: 'provider', retryAfterSeconds: expect.any(Number) });
    expect(await codeOf(calls().complete(ASK, context()))).toBe('well');
  });

  it('stops calling every model of a host that takes no connections', async () => {
    const circuits = new Circuits();
    const gone = await startModelProvider();
    const egress = new Egress({ allow: [`127.0.0.1:${gone.port}`] });
    await gone.close();
    const calls = openAiCompatible({ baseUrl: gone.url, egress, circuits, retry: { maxRetries: 0 } });
    for (let turn = 0; turn < 10; turn += 1)
      expect(await codeOf(calls.complete({ ...ASK, model: `m${turn}` }, context()))).toBe('network');
    expect(await codeOf(calls.complete({ ...ASK, model: 'another' }, context()))).toBe('circuit_open');
    await egress.close();
  });

  it('stops calling a model that fails, for one company only, and recovers', async () => {
    const circuits = new Circuits();
    const of = (companyId: number) => provider({ circuits, companyId });
    world.answerWith(() => ({ error: { status: 500 } }));
    const codes = new Set<string>();
    for (let turn = 0; turn < 40; turn += 1) {
      codes.add(
        (
          (await of(1)
            .complete(ASK, context())
            .catch((error: unknown) => error)) as { code: string }
        ).code,
      );
    }
    expect([...codes]).toEqual(['provider_error', 'circuit_open']);
    // And one for each time that the circuit has closed again meanwhile.
    expect(world.calls.length).toBeGreaterThanOrEqual(10);
    expect(world.calls.length).toBeLessThan(20);
    world.answerWith(() => 'well');
    expect((await of(2).complete(ASK, context())).object).toBe('chat.completion');
    const recovered = async (): Promise<number> => {
      const started = Date.now();
      while (
        (await of(1)
          .complete(ASK, context())
          .catch(() => null)) === null
      ) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return Date.now() - started;
    };
    expect(await recovered()).toBeLessThan(10_000);
  });

  it('limits retries to a fifth of the calls when a provider limits rates', async () => {
    const shared = provider({ circuits: new Circuits() });
    world.answerWith(() => ({ error: { status: 429 } }));
    for (let turn = 0; turn < 200; turn += 1) await shared.complete(ASK, context()).catch(() => null);
    // The reserve of 10 is added.
    expect(world.calls.length).toBeLessThanOrEqual(200 * 1.2 + 12);
  });
});
