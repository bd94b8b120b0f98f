import { randomUUID } from 'node:crypto';
import { models, providers } from '@signalbox/contracts';
import { eventually, type ModelProvider, Platform, startModelProvider, type TestCompany } from '@signalbox/testing';
import OpenAI, {
  type APIError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
} from 'openai';

const KEY = 'sk-the-providers-own-key';

let fakeModel: ModelProvider;
let platform: Platform;
let company: TestCompany;
let client: OpenAI;

beforeAll(async () => {
  fakeModel = await startModelProvider({ apiKey: KEY });
  platform = await Platform.shared(['accounts', 'traffic', 'agents', 'workflows', 'gateway']);
  company = await platform.company();
  const provider = await platform.bus.call(
    providers.endpoints.createProvider,
    {
      provider_name: 'outside',
      kind: 'openai_compatible',
      base_url: fakeModel.url,
      api_key: KEY,
      default_headers: {},
      timeout_ms: 60_000,
      status: 'ENABLED',
    },
    platform.caller(company.companyId),
  );
  for (const model_name of ['m', 'spare'])
    await platform.bus.call(
      models.endpoints.createModel,
      {
        model_name,
        provider_id: provider.id,
        supports_tools: true,
        supports_json_schema: true,
        trainable: false,
        status: 'ENABLED',
        input_price_per_mtok: 1,
        output_price_per_mtok: 2,
      },
      platform.caller(company.companyId),
    );
  client = new OpenAI({ apiKey: company.key, baseURL: platform.baseUrl, maxRetries: 0 });
}, 90_000);
afterAll(async () => {
  await platform.stop();
  await fakeModel.close();
});
beforeEach(() => {
  fakeModel.answerWith(() => 'Good morning');
  fakeModel.calls.length = 0;
});

const hello = [{ role: 'user' as const, content: 'Hello' }];

const get = <T = Record<string, unknown>>(path: string) => platform.api(company.key).data<T>('GET', path);

interface Extras {
  request_id: string;
  session_id: string;
  fallback_used: boolean;
  fallback_reason: string | null;
  response_time_ms: number;
  first_token_time_ms: number | null;
}

describe('the official OpenAI client, unchanged', () => {
  it('gets a completion whose id is the recorded request', async () => {
    const { data, response } = await client.chat.completions
      .create(
        { model: 'm', messages: hello, temperature: 0.5, user: 'u-1' },
        {
          headers: { 'X-Request-Id': 'my-own', 'X-Service-Session-Id': 'visit-1', 'X-Service-Application': 'Web Shop' },
        },
      )
      .withResponse();
    expect(data.choices[0]?.message.content).toBe('Good morning');
    expect(data.usage?.total_tokens).toBeGreaterThan(0);
    const { request_id, session_id } = data as unknown as Extras;
    expect(session_id).toBe('visit-1');
    expect(response.headers.get('x-request-id')).toBe(request_id);
    expect(response.headers.get('x-service-session-id')).toBe('visit-1');
    expect(fakeModel.calls[0]?.body).toMatchObject({ model: 'm', temperature: 0.5, user: 'u-1', stream: false });
    expect(fakeModel.calls[0]?.body).not.toHaveProperty('session_id');
    const recorded = await get(`/requests/${request_id}`);
    expect(recorded).toMatchObject({
      request_id,
      session_id: 'visit-1',
      model: 'm',
      status: 'COMPLETED',
      params: { messages: hello, temperature: 0.5 },
      response: { choices: [{ message: { content: 'Good morning' } }] },
      usage: { total_tokens: data.usage?.total_tokens },
    });
  });

  it('gets a stream chunk by chunk, with usage on request', async () => {
    fakeModel.answerWith(() => ({ text: 'one two three four five', chunkDelayMs: 30 }));
    const stream = await client.chat.completions.create({
      model: 'm',
      messages: hello,
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = '';
    const times: number[] = [];
    let last: unknown;
    for await (const chunk of stream) {
      times.push(Date.now());
      text += chunk.choices[0]?.delta.content ?? '';
      last = chunk;
    }
    expect(text).toBe('one two three four five');
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(60);
    const { request_id, first_token_time_ms, response_time_ms } = last as Extras;
    expect(last).toMatchObject({ choices: [], usage: { cost: expect.any(Number) }, fallback_used: false });
    expect(first_token_time_ms).toBeLessThan(response_time_ms);
    expect(await get(`/requests/${request_id}`)).toMatchObject({
      status: 'COMPLETED',
      response: { choices: [{ message: { role: 'assistant', content: text }, finish_reason: 'stop' }] },
    });
  });

  it('gets no usage it has not requested, and the extras on the last chunk', async () => {
    const chunks = [];
    for await (const chunk of await client.chat.completions.create({ model: 'm', messages: hello, stream: true }))
      chunks.push(chunk);
    expect(chunks.every((chunk) => chunk.usage === undefined)).toBe(true);
    expect(chunks.slice(0, -1).every((chunk) => !('request_id' in chunk))).toBe(true);
    expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: 'stop' }], request_id: expect.any(String) });
  });

  it('uses tools through its own loop, with whole messages repeated', async () => {
    fakeModel.answerWith(({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? 'It is 12 degrees'
        : { toolCalls: [{ name: 'weather', arguments: { city: 'Bonn' } }] },
    );
    const asked: unknown[] = [];
    const runner = client.chat.completions.runTools({
      model: 'm',
      messages: hello,
      tools: [
        {
          type: 'function',
          function: {
            name: 'weather',
            description: 'the weather of a city',
            parameters: { type: 'object', properties: { city: { type: 'string' } } },
            function: (given: string) => (asked.push(JSON.parse(given)), '12'),
          },
        },
      ],
    });
    expect(await runner.finalContent()).toBe('It is 12 degrees');
    expect(asked).toEqual([{ city: 'Bonn' }]);
  });

  it('gets JSON of a schema from the built-in model', async () => {
    const completion = await client.chat.completions.create({
      model: 'simulated-echo',
      messages: hello,
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'answer',
          schema: { type: 'object', properties: { mood: { enum: ['fine', 'bad'] } }, required: ['mood'] },
        },
      },
    });
    expect(JSON.parse(completion.choices[0]?.message.content ?? '')).toEqual({ mood: 'fine' });
  });

  it('lists the models', async () => {
    const found = [];
    for await (const model of client.models.list()) found.push(model.id);
    expect(found.sort()).toEqual(['m', 'simulated-echo', 'spare']);
  });

  it('calls an agent like a model, by id or name, streamed or not', async () => {
    const ask = (path: string, body: object) => platform.api(company.key).data<{ id: number }>('POST', path, body);
    const shop = await ask('/applications', { application_name: 'Agents' });
    const agent = { application_id: shop.id, agent_name: 'Front desk', model: 'simulated-echo' };
    const { id } = await ask('/agents', agent);
    const { choices } = await client.chat.completions.create({ model: `agent:${id}`, messages: hello });
    expect(choices[0]?.message.content).toContain('Hello');
    let text = '';
    const stream = await client.chat.completions.create({ model: 'agent:Front desk', messages: hello, stream: true });
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    expect(text).toBe(choices[0]?.message.content);
    for (const model of ['agent:999999', 'agent:Nobody', `agent:${id}@9.9.9`]) {
      const refused = await client.chat.completions.create({ model, messages: hello }).catch((error: unknown) => error);
      expect([model, (refused as APIError).status, (refused as APIError).code]).toEqual([
        model,
        404,
        'model_not_found',
      ]);
    }
  });

  it('throws the error class of each status', async () => {
    const call = (change: object, own: OpenAI = client) =>
      own.chat.completions
        .create({ model: 'm', messages: hello, ...change })
        .then(() => null)
        .catch((error: unknown) => error as APIError);
    const unauthorized = new OpenAI({ apiKey: 'svk_nobody', baseURL: platform.baseUrl, maxRetries: 0 });
    const unknown = await call({}, unauthorized);
    expect(unknown).toBeInstanceOf(AuthenticationError);
    expect(unknown?.code).toBe('company_missing');
    const missing = await call({ model: 'no-such-model' });
    expect(missing).toBeInstanceOf(NotFoundError);
    expect(missing?.code).toBe('model_not_found');
    expect((await call({ model: 'workflow:w' }))?.code).toBe('model_not_found');
    const bad = await call({ temperature: 3 });
    expect(bad).toBeInstanceOf(BadRequestError);
    expect([bad?.code, bad?.type, bad?.param]).toEqual(['invalid_body', 'invalid_request_error', 'temperature']);
    const json_schema = { name: 's', schema: { type: 'no-such-type' } };
    expect((await call({ response_format: { type: 'json_schema', json_schema } }))?.status).toBe(422);
    fakeModel.answerWith(() => ({ error: { status: 400, message: 'no' } }));
    const failed = await call({});
    expect(failed).toBeInstanceOf(InternalServerError);
    expect([failed?.status, failed?.code, failed?.type]).toEqual([502, 'provider_failed', 'provider_error']);
    const again = await call({ stream: true });
    expect([again?.status, again?.code]).toEqual([502, 'provider_failed']);
    const failures = await get<{ model: string }[]>(`/requests?status=FAILED&limit=100`);
    expect(failures.filter((each) => each.model === 'm')).toHaveLength(2);
  });
});

describe('chat completions over HTTP', () => {
  const post = (body: object, headers: Record<string, string> = {}, signal?: AbortSignal) =>
    fetch(`${platform.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'X-Service-Api-Key': company.key, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ model: 'm', messages: hello, ...body }),
      ...(signal ? { signal } : {}),
    });

  it('names the error of a stream that had begun, and ends without [DONE]', async () => {
    fakeModel.answerWith(() => ({ text: 'one two three four five six', cutAfterChunks: 3 }));
    const text = await (await post({ stream: true })).text();
    const frames = text.trim().split('\n\n');
    expect(JSON.parse(frames.at(-1)?.slice(6) ?? '')).toMatchObject({
      error: { status: 502, code: 'provider_failed' },
    });
    expect(text).not.toContain('[DONE]');
  });

  it('cancels the provider call when the client disconnects, and records the text so far', async () => {
    fakeModel.answerWith(() => ({ text: 'word '.repeat(200), chunkDelayMs: 20 }));
    const leave = new AbortController();
    const response = await post({ stream: true, session_id: 'left' }, {}, leave.signal);
    const reader = response.body?.getReader();
    for (let piece = 0; piece < 3; piece++) await reader?.read();
    leave.abort();
    const [row] = await eventually('the request is recorded', async () => {
      const rows = await get<Record<string, unknown>[]>('/requests?session_id=left&include_body=true');
      return rows.length > 0 ? rows : undefined;
    });
    expect(row).toMatchObject({ status: 'FAILED', error_message: 'client_disconnected', failure_class: null });
    expect(JSON.stringify(row?.response)).toContain('word');
    await eventually('the provider call is cancelled', () => fakeModel.calls.at(-1)?.aborted);
  });

  it('cancels the provider call of a call that is not streamed as well', async () => {
    fakeModel.answerWith(() => ({ text: 'late', latencyMs: 5000 }));
    const leave = new AbortController();
    const call = post({ session_id: 'left-2' }, {}, leave.signal).catch(() => undefined);
    await eventually('the provider is called', () => fakeModel.calls.length > 0);
    leave.abort();
    await call;
    const rows = await eventually('the request is recorded', async () => {
      const found = await get<Record<string, unknown>[]>('/requests?session_id=left-2');
      return found.length > 0 ? found : undefined;
    });
    expect(rows[0]).toMatchObject({ status: 'FAILED', error_message: 'client_disconnected' });
    await eventually('the provider call is cancelled', () => fakeModel.calls.at(-1)?.aborted);
  });

  it('makes a call with an idempotency key once, streamed or not, failed or not', async () => {
    for (const body of [{}, { stream: true }]) {
      fakeModel.calls.length = 0;
      fakeModel.answerWith(() => 'Once');
      const key = randomUUID();
      const first = await post(body, { 'Idempotency-Key': key });
      const text = await first.text();
      const again = await post(body, { 'Idempotency-Key': key });
      expect(await again.text()).toBe(text);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(again.headers.get('x-request-id')).toBe(first.headers.get('x-request-id'));
      expect(fakeModel.calls).toHaveLength(1);
      const other = await post({ ...body, temperature: 1 }, { 'Idempotency-Key': key });
      expect([other.status, ((await other.json()) as { error: { code: string } }).error.code]).toEqual([
        422,
        'idempotency_conflict',
      ]);
      fakeModel.answerWith(() => ({ error: { status: 400 } }));
      const failing = randomUUID();
      expect((await post(body, { 'Idempotency-Key': failing })).status).toBe(502);
      fakeModel.answerWith(() => 'Now it would work');
      const repeated = await post(body, { 'Idempotency-Key': failing });
      expect([repeated.status, repeated.headers.get('idempotent-replayed')]).toEqual([502, 'true']);
    }
  });

  it('falls back to the other model before the first byte, and reports it', async () => {
    fakeModel.answerWith(({ model }) => (model === 'm' ? { error: { status: 400 } } : 'from the spare'));
    const fallback_config = { model: 'spare', strategy: 'reactive' };
    const whole = (await (await post({ fallback_config })).json()) as Extras & { model: string };
    expect(whole).toMatchObject({ model: 'spare', fallback_used: true, fallback_reason: 'provider_failed' });
    const streamed = await (await post({ fallback_config, stream: true })).text();
    expect(streamed).toContain('"fallback_reason":"provider_failed"');
    fakeModel.answerWith(({ model }) => ({ text: model, latencyMs: model === 'm' ? 3000 : 0 }));
    const slow = await post({ fallback_config: { model: 'spare', strategy: 'timeout', timeout_ms: 150 } });
    expect(await slow.json()).toMatchObject({ model: 'spare', fallback_reason: 'provider_timeout' });
    const recorded = await get(`/requests/${whole.request_id}`);
    expect(recorded).toMatchObject({ model: 'spare', fallback_used: true, fallback_reason: 'provider_failed' });
  });

  it('keeps a session with the application that used it first', async () => {
    expect((await post({ application: 'one', session_id: 'shared' })).status).toBe(200);
    const other = await post({ application: 'two', session_id: 'shared' });
    expect([other.status, await other.json()]).toMatchObject([
      409,
      { error: { code: 'session_application_mismatch', type: 'invalid_request_error' } },
    ]);
  });

  it('forwards chunks as the provider writes them, except for the model name and unrequested usage', async () => {
    const piece = (more: string): string =>
      `{"id":"c", "object":"chat.completion.chunk","created":1,${more},"exact":12345678901234567890}`;
    const said = (text: string, end = 'null'): string =>
      `"choices":[{"index":0,"delta":{"content":"${text}"},"finish_reason":${end}}]`;
    const pieces = [
      piece(`"model":"m",${said('one')}`),
      piece(`"model":"theirs",${said('two')}`),
      piece(`"model":"m",${said('three')},"usage":null`),
      piece(`"model":"m",${said('four', '"stop"')}`),
    ];
    const twoLines = `data: {"id":"c","object":"chat.completion.chunk","created":1,\ndata: "model":"m",${said('2')}}\n\n`;
    const body = `${twoLines}${pieces.map((data) => `data: ${data}\n\n`).join('')}data: [DONE]\n\n`;
    fakeModel.answerWith(() => ({ raw: { status: 200, headers: { 'content-type': 'text/event-stream' }, body } }));
    const frames = (await (await post({ stream: true })).text()).split('\n\n').map((frame) => frame.slice(6));
    expect(frames).toHaveLength(7);
    expect(frames[1]).toBe(pieces[0]);
    expect(frames.join('')).not.toContain('\n');
    for (const frame of frames.slice(0, 5)) expect(JSON.parse(frame)).toMatchObject({ id: 'c', model: 'm' });
    expect(frames.join('')).not.toContain('theirs');
    expect(JSON.parse(frames[3] ?? '')).not.toHaveProperty('usage');
    const { request_id } = JSON.parse(frames[4] ?? '') as Extras;
    expect(await get(`/requests/${request_id}`)).toMatchObject({
      response: { choices: [{ message: { content: '2onetwothreefour' }, finish_reason: 'stop' }] },
    });
  });

  it('buffers a reply in safe mode until it is complete, and sends nothing of one that breaks off', async () => {
    const safe = { stream: true, application: 'Safe', apply_corrections: true, safe_mode: true };
    fakeModel.answerWith(() => ({ text: 'one two three four five', chunkDelayMs: 60 }));
    const began = Date.now();
    const body = (await post(safe)).body as AsyncIterable<Uint8Array> | null;
    let text = '';
    let firstAt = 0;
    for await (const bytes of body ?? []) {
      firstAt ||= Date.now() - began;
      text += Buffer.from(bytes).toString();
    }
    expect(firstAt).toBeGreaterThan(250);
    const said = text.match(/"content":"([^"]*)"/g)?.map((found) => found.slice(11, -1));
    expect(said?.join('')).toBe('one two three four five');
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    fakeModel.answerWith(() => ({ text: 'one two three four five', cutAfterChunks: 3 }));
    const broken = await (await post(safe)).text();
    expect(broken).toMatch(/^data: \{"error":/);
    expect(broken).not.toMatch(/one|DONE/);
  });

  it('delivers a reply of many windows in full to a reader who starts late', async () => {
    const big = 'x'.repeat(400_000);
    fakeModel.answerWith(() => ({
      raw: {
        status: 200,
        headers: { 'content-type': 'text/event-stream' },
        body: Array.from({ length: 30 }, (_, at) => {
          const choices = [{ index: 0, delta: { content: big }, finish_reason: at === 29 ? 'stop' : null }];
          return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices })}\n\n`;
        })
          .concat('data: [DONE]\n\n')
          .join(''),
      },
    }));
    const response = await post({ stream: true });
    await new Promise((resolve) => setTimeout(resolve, 500));
    const text = await response.text();
    expect(text.length).toBeGreaterThan(30 * 400_000);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });
});
