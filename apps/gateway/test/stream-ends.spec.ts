import { apiKeys } from '@signalbox/contracts';
import { eventually, type ModelProvider, Platform, startModelProvider, type TestCompany } from '@signalbox/testing';
import { ask } from './client.js';

let platform: Platform;
let provider: ModelProvider;
let company: TestCompany;
beforeAll(async () => {
  provider = await startModelProvider();
  platform = await Platform.shared(['accounts', 'traffic', 'test-runs', 'gateway']);
  company = await platform.company();
}, 120_000);
afterAll(async () => {
  OpenStream.leaveAll();
  await platform?.stop();
  await provider?.close();
});

/** A call of the company's first key. */
async function call<T = { id: number }>(method: string, path: string, body?: object): Promise<T> {
  const {
    status,
    body: reply,
    text,
  } = await ask(platform, method, `/api/v1${path}`, {
    key: company.key,
    ...(body ? { body } : {}),
  });
  if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text}`);
  return (reply as { data: T }).data;
}

const newKey = (body: object = {}) =>
  call<{ id: number; key: string }>('POST', '/api-keys', { name: 'reader', scopes: ['read', 'invoke'], ...body });

/** A stream that is read while it is open. */
class OpenStream {
  private static readonly leaving = new AbortController();
  text = '';
  isClosed = false;

  static leaveAll(): void {
    OpenStream.leaving.abort();
  }

  static async open(
    key: string,
    path: string,
    body?: object,
    { headers = {}, signal }: { headers?: Record<string, string>; signal?: AbortSignal } = {},
  ): Promise<OpenStream> {
    const response = await fetch(`${platform.baseUrl}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'X-Service-Api-Key': key, 'Content-Type': 'application/json', ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: signal ?? OpenStream.leaving.signal,
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/event-stream'),
    ]);
    const stream = new OpenStream();
    void stream
      .read(response)
      .catch(() => undefined)
      .finally(() => (stream.isClosed = true));
    return stream;
  }

  /** The last frame, once the server has closed the stream. */
  async lastFrame(): Promise<string> {
    await eventually('the stream has ended', () => this.isClosed);
    return this.text.trimEnd().split('\n\n').at(-1) ?? '';
  }

  private async read(response: Response): Promise<void> {
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) this.text += decoder.decode(bytes as Uint8Array, { stream: true });
  }
}

/** An error frame has no id. */
const errorFrame = (status: number): unknown =>
  expect.stringMatching(new RegExp(`^event: error\\ndata: {"type":"error","status":${status},"timestamp":\\d+}$`));

describe('an open stream of events', () => {
  it('ends with 401 when its key is revoked, and that of another key stays open', async () => {
    const [revoked, kept] = [await newKey(), await newKey()];
    const stream = await OpenStream.open(revoked.key, '/events');
    const other = await OpenStream.open(kept.key, '/events');
    await call('POST', `/api-keys/${revoked.id}/revoke`);
    expect(await stream.lastFrame()).toEqual(errorFrame(401));
    expect(other.isClosed).toBe(false);
    await call('DELETE', `/api-keys/${kept.id}`);
    expect(await other.lastFrame()).toEqual(errorFrame(401));
  });

  it('ends with 401 when its key expires, not before', async () => {
    const expires_at = Date.now() + 2000;
    const { key } = await newKey({ expires_at });
    const stream = await OpenStream.open(key, '/events');
    expect(await stream.lastFrame()).toEqual(errorFrame(401));
    expect(Date.now()).toBeGreaterThanOrEqual(expires_at);
  });

  it('ends with 403 when its key loses the scope', async () => {
    const { id, key } = await newKey();
    const stream = await OpenStream.open(key, '/events');
    await call('PUT', `/api-keys/${id}`, { scopes: ['invoke'] });
    expect(await stream.lastFrame()).toEqual(errorFrame(403));
  });

  it('ends with 401 when its company is deleted', async () => {
    const other = await platform.company();
    const stream = await OpenStream.open(other.key, '/events');
    await platform.sql.query('UPDATE accounts.companies SET deleted_at = 1 WHERE company_id = $1', [other.companyId]);
    expect(await stream.lastFrame()).toEqual(errorFrame(401));
    expect((await ask(platform, 'GET', '/api/v1/company', { key: other.key })).status).toBe(401);
  });

  it('begins with its position, so that a client without an event can continue after it', async () => {
    const { key } = await newKey();
    const stream = await OpenStream.open(key, '/events?events=tag.created');
    await eventually('the position is sent', () => /^id: \d+\n\n/.test(stream.text));
    const position = /^id: (\d+)\n\n/.exec(stream.text)?.[1];
    await call('POST', '/tags', { tag_name: 'missed' });
    const resumed = await OpenStream.open(key, `/events?events=tag.created&last_event_id=${position}`);
    await eventually('the event is sent', () => resumed.text.includes('"missed"'));
  });
});

describe('the open stream of a test run', () => {
  it('ends with run.deleted and 404 when the run is deleted', async () => {
    const set = await call('POST', '/unified-test-sets', { name: 'gone' });
    const consumer = { consumer_kind: 'MODEL', consumer_config: { model: 'simulated-echo' } };
    const run = await call('POST', '/unified-test-runs', { test_set_id: set.id, ...consumer });
    const { key } = await newKey();
    const stream = await OpenStream.open(key, `/unified-test-runs/${run.id}/stream`);
    await call('DELETE', `/unified-test-runs/${run.id}`);
    expect(await stream.lastFrame()).toEqual(errorFrame(404));
    const frames = stream.text.trimEnd().split('\n\n');
    expect(frames.at(-2)).toMatch(/^id: 1\nevent: run.deleted\ndata: {"type":"run.deleted","seq":1,"run_id":\d+,/);
  });

  it('ends with 404 when its run is found to be deleted, though no event said so', async () => {
    const set = await call('POST', '/unified-test-sets', { name: 'gone silently' });
    const consumer = { consumer_kind: 'MODEL', consumer_config: { model: 'simulated-echo' } };
    const run = await call('POST', '/unified-test-runs', { test_set_id: set.id, ...consumer });
    const stream = await OpenStream.open(company.key, `/unified-test-runs/${run.id}/stream`);
    const { rows } = await platform.sql.query<{ id: string }>(
      'DELETE FROM "test-runs".runs WHERE company_id = $1 AND no = $2 RETURNING id',
      [company.companyId, run.id],
    );
    // An event that is not the next one makes the gateway read those before it.
    const late = { seq: 9, type: 'run.progress', data: {} };
    await eventually('the stream has ended', () => {
      platform.connection.announce(`live.test-runs.${rows[0]!.id}`, JSON.stringify(late));
      return stream.isClosed;
    });
    expect(await stream.lastFrame()).toEqual(errorFrame(404));
  });
});

describe('a streamed chat completion', () => {
  const streamed = (model: string) => ({ model, stream: true, messages: [{ role: 'user', content: 'hello' }] });
  const modelOf = async (model_name: string): Promise<string> => {
    const { id: provider_id } = await call('POST', '/models/providers', {
      provider_name: model_name,
      kind: 'openai_compatible',
      base_url: provider.url,
      api_key: 'sk-anything',
    });
    await call('POST', '/models', { model_name, provider_id });
    return model_name;
  };
  const repeated = (model: string, idempotencyKey: string) =>
    eventually('the first call has ended', async () => {
      const answer = await ask(platform, 'POST', '/api/v1/chat/completions', {
        key: company.key,
        body: streamed(model),
        headers: { 'Idempotency-Key': idempotencyKey },
      });
      return answer.status === 409 ? undefined : answer;
    });

  it('is not made again under its idempotency key when its client has disconnected', async () => {
    const model = await modelOf('abandoned');
    provider.answerWith(() => ({ text: 'word '.repeat(2000), chunkDelayMs: 100 }));
    const began = provider.calls.length;
    const leaving = new AbortController();
    const stream = await OpenStream.open(company.key, '/chat/completions', streamed(model), {
      headers: { 'Idempotency-Key': 'abandoned' },
      signal: leaving.signal,
    });
    await eventually('the first words are sent', () => stream.text.includes('word'));
    leaving.abort();
    const again = await repeated(model, 'abandoned');
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([504, 'true']);
    expect(again.body).toMatchObject({ error: { message: 'the caller disconnected' } });
    expect(provider.calls.length).toBe(began + 1);
  }, 60_000);

  it('is not made again under its idempotency key when the provider has broken off', async () => {
    const model = await modelOf('broken');
    provider.answerWith(() => ({ text: 'word '.repeat(20), cutAfterChunks: 3 }));
    const began = provider.calls.length;
    const first = await repeated(model, 'broken');
    const again = await repeated(model, 'broken');
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(again.text).toBe(first.text);
    expect(again.text).toMatch(/data: {"error":{"status":502,.*\n\n$/);
    expect(provider.calls.length).toBe(began + 1);
  });

  it('ends with the error frame of OpenAI when its key is revoked', async () => {
    provider.answerWith(() => ({ text: 'word '.repeat(2000), chunkDelayMs: 100 }));
    const model = await modelOf('slow');
    const { id, key } = await newKey();
    const stream = await OpenStream.open(key, '/chat/completions', streamed(model));
    await eventually('the first words are sent', () => stream.text.includes('word'));
    await call('POST', `/api-keys/${id}/revoke`);
    const last = JSON.parse((await stream.lastFrame()).replace('data: ', '')) as unknown;
    expect(last).toEqual({
      error: {
        status: 401,
        message: 'company_id is missing',
        type: 'authentication_error',
        code: 'company_missing',
      },
    });
    await eventually('the provider is no longer read', () => provider.calls.at(-1)?.aborted === true);
  });

  it('ends when its key is revoked while the gateway stops', async () => {
    provider.answerWith(() => ({ text: 'word '.repeat(2000), chunkDelayMs: 100 }));
    const model = await modelOf('stopping');
    const { id, key } = await newKey();
    const stream = await OpenStream.open(key, '/chat/completions', streamed(model));
    await eventually('the first words are sent', () => stream.text.includes('word'));
    const gateway = platform.service('gateway');
    await ask(platform, 'GET', '/readyz');
    const stopped = gateway.kill('SIGTERM');
    await eventually('the gateway stops', async () =>
      (await ask(platform, 'GET', '/readyz')).text.includes('draining'),
    );
    const caller = platform.caller(company.companyId);
    await platform.bus.call(apiKeys.endpoints.revokeApiKey, { api_key_id: id }, caller);
    expect(await stream.lastFrame()).toContain('"code":"company_missing"');
    await stopped;
    await gateway.start();
  }, 60_000);
});
