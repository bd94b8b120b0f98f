import { CONTRACTS, EVENTS } from '@signalbox/contracts';
import { openApi } from '@signalbox/openapi';
import { eventually, Platform } from '@signalbox/testing';
import { asyncApi } from '../src/docs/asyncapi.js';
import { ask } from './client.js';

let platform: Platform;
let admin: string;
beforeAll(async () => {
  platform = await Platform.shared(['accounts', 'gateway']);
  admin = (await platform.company()).key;
}, 60_000);
afterAll(() => platform?.stop());

describe('what needs no key', () => {
  it.each([
    ['/api/v1/openapi.json', openApi(CONTRACTS)],
    ['/api/v1/asyncapi.json', asyncApi(EVENTS)],
  ])('serves %s, and 304 to a client that has it', async (path, document) => {
    const answer = await ask(platform, 'GET', path);
    expect(answer.body).toEqual(JSON.parse(JSON.stringify(document)));
    const etag = answer.headers.get('etag') ?? '';
    const again = await ask(platform, 'GET', path, { headers: { 'If-None-Match': `W/${etag}` } });
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await ask(platform, 'POST', path, { body: {} })).status).toBe(405);
  });

  it.each([
    ['gzip, deflate, br', 'gzip'],
    ['gzip;q=0', null],
    ['identity', null],
  ])('compresses the document for a client that accepts %s', async (accepted, encoding) => {
    const headers = { 'Accept-Encoding': accepted };
    const answer = await ask(platform, 'GET', '/api/v1/openapi.json', { headers });
    expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, encoding]);
    expect(answer.body).toMatchObject({ openapi: '3.1.0' });
    if (encoding) expect(Number(answer.headers.get('content-length'))).toBeLessThan(answer.text.length / 5);
    const tagged = { ...headers, 'If-None-Match': answer.headers.get('etag') ?? '' };
    expect((await ask(platform, 'GET', '/api/v1/openapi.json', { headers: tagged })).status).toBe(304);
  });

  it('serves the page that shows it, which may run no other script', async () => {
    const { status, headers, text } = await ask(platform, 'GET', '/docs');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*script-src 'sha256-/);
    expect(text).not.toMatch(/https?:\/\/(?!www\.w3\.org)|unsafe-inline/);
  });

  it('reports that it is alive, and no metrics', async () => {
    expect((await ask(platform, 'GET', '/healthz')).body).toEqual({ status: 'ok' });
    expect((await ask(platform, 'GET', '/metrics')).status).toBe(404);
  });

  it('reports what works and what does not', async () => {
    await platform.processes.get('agents')?.kill();
    const report = await eventually('the stop is detected', async () => {
      const { status, body } = await ask(platform, 'GET', '/readyz');
      const { services } = (body as { checks: { services: Record<string, string> } }).checks;
      return services['agents'] === 'down' ? [status, body] : undefined;
    });
    expect(report).toEqual([
      503,
      {
        status: 'degraded',
        checks: {
          postgres: 'ok',
          nats: 'ok',
          object_store: 'ok',
          services: expect.objectContaining({ accounts: 'ok', agents: 'down' }),
        },
      },
    ]);
  });

  it('is bounded for each address', async () => {
    const all = await Promise.all(Array.from({ length: 200 }, () => ask(platform, 'GET', '/docs')));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200, 429]));
    expect((await ask(platform, 'GET', '/healthz')).status).toBe(200);
    await eventually('a document is served again', async () => (await ask(platform, 'GET', '/docs')).status === 200);
  });
});

describe('the request log', () => {
  it('has one line per request and no key', async () => {
    // The documents may have used up what the address has for look-ups of keys.
    await eventually(
      'the key is known',
      async () => (await ask(platform, 'GET', '/api/v1/company', { key: admin })).status === 200,
    );
    await ask(platform, 'GET', '/api/v1/company', { key: admin, headers: { 'X-Request-Id': 'look-for-me' } });
    const line = await eventually('the line is written', async () =>
      (await platform.logOf('gateway')).split('\n').find((text) => text.includes('look-for-me')),
    );
    expect(JSON.parse(line)).toMatchObject({
      level: 'info',
      service: 'gateway',
      message: 'request',
      method: 'GET',
      route: 'GET /api/v1/company',
      status: 200,
      request_id: 'look-for-me',
      company_id: expect.any(Number),
      key_id: expect.any(Number),
    });
    expect(await platform.logOf('gateway')).not.toContain(admin.slice(13));
  });
});

describe('an internal error', () => {
  it('is logged with its stack under the id of the request, and says nothing to the client', async () => {
    await platform.sql.query('ALTER TABLE accounts.audit_log RENAME TO audit_log_away');
    const headers = { 'X-Request-Id': 'broken-inside' };
    const answer = await ask(platform, 'GET', '/api/v1/audit-log', { key: admin, headers });
    await platform.sql.query('ALTER TABLE accounts.audit_log_away RENAME TO audit_log');
    expect([answer.status, answer.body]).toEqual([500, { error: { status: 500, message: 'internal server error' } }]);
    const line = await eventually('the line is written', async () =>
      (await platform.logOf('accounts')).split('\n').find((text) => text.includes('broken-inside')),
    );
    expect(JSON.parse(line)).toMatchObject({
      level: 'error',
      message: 'call failed',
      request_id: 'broken-inside',
      error: { stack: expect.stringContaining('\n    at ') as string },
    });
  });
});

describe('idempotency keys', () => {
  const make = (key: string | undefined, body: object, path = '/api/v1/api-keys') =>
    ask(platform, 'POST', path, { key: admin, body, headers: key === undefined ? {} : { 'Idempotency-Key': key } });

  it('make a repeated POST take effect once', async () => {
    const first = await make('a', { name: 'once', scopes: ['read'] });
    const again = await make('a', { scopes: ['read'], name: 'once' }, '/api/v1/api-keys/');
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const { data } = first.body as { data: object };
    expect(again.body).toEqual({ data: { ...data, key: null } });
    expect((await make('a', { name: 'other', scopes: ['read'] })).status).toBe(422);
  });

  it.each([[''], ['x'.repeat(256)], ['a\u00e9']])('are malformed as %.10s', async (key) => {
    expect((await make(key, { name: 'x' })).status).toBe(400);
  });

  it('are ignored elsewhere', async () => {
    const headers = { 'Idempotency-Key': '' };
    expect((await ask(platform, 'GET', '/api/v1/company', { key: admin, headers })).status).toBe(200);
  });
});
