import { connect } from 'node:net';
import { Platform } from '@signalbox/testing';
import { ask } from './client.js';
import { sendRaw } from './raw-http.js';

let platform: Platform;
let admin: string;
/** Connections whose headers never end, open from the start: they last for ten seconds. */
let slow: Promise<{ status: number; ms: number }[]>;
beforeAll(async () => {
  platform = await Platform.shared(['accounts', 'gateway']);
  admin = (await platform.company('Acme')).key;
  const started = performance.now();
  const send = async () => {
    const { status } = await sendRaw(platform.port, ['GET /healthz HTTP/1.1\r\nHost: x\r\n'], 100);
    return { status, ms: performance.now() - started };
  };
  slow = Promise.all(Array.from({ length: 50 }, send));
}, 60_000);
afterAll(() => platform?.stop());

const put = (body: unknown, path = '/api/v1/company') => ask(platform, 'PUT', path, { key: admin, body });
const nested = (depth: number) => `{"settings":${'['.repeat(depth)}${']'.repeat(depth)}}`;
const wide = (keys: number) => `{${Array.from({ length: keys }, (_, at) => `"k${at}":1`).join(',')}}`;
const message = ({ body }: { body: unknown }) => (body as { error: { message: string } }).error.message;

describe('limits of a body', () => {
  it.each<[string, string | Uint8Array, number, string]>([
    ['1 MiB is read', `{"nope":"${'x'.repeat(1_048_576 - 11)}"}`, 400, 'nope is not a known field'],
    ['one byte more is not', `{"nope":"${'x'.repeat(1_048_576 - 10)}"}`, 413, 'too large'],
    ['depth 64 is read', nested(63), 400, 'settings must be an object'],
    ['depth 65 is not', nested(64), 400, 'nested'],
    ['10,000 deep costs nothing', nested(10_000), 400, 'nested'],
    ['10,000 keys are read', wide(10_000), 400, 'k0 is not a known field (and 49 more)'],
    ['10,001 keys are not', wide(10_001), 400, 'keys'],
    ['NUL', '{"name":"a\\u0000b"}', 400, 'NUL'],
    ['a lone surrogate', '{"name":"\\ud800"}', 400, 'surrogate'],
    ['a key named __proto__', '{"__proto__":{"name":"x"}}', 400, '__proto__'],
    ['bytes that are not UTF-8', new Uint8Array([123, 34, 255, 34, 58, 49, 125]), 400, 'UTF-8'],
    ['a number that is none', '{"name":NaN}', 400, 'JSON'],
  ])('%s', async (_, body, status, says) => {
    const answer = await put(body);
    expect([answer.status, message(answer)]).toEqual([status, expect.stringContaining(says)]);
  });

  it('is 10 MiB and 100,000 keys on the large paths', async () => {
    const invoke = (body: string) => ask(platform, 'POST', '/api/v1/agents/1/invoke', { key: admin, body });
    expect(message(await invoke(wide(10_001)))).toContain('not a known field');
    expect(message(await invoke(wide(100_001)))).toContain('keys');
    expect((await invoke(`{"nope":"${'x'.repeat(2_000_000)}"}`)).status).toBe(400);
    expect((await invoke('x'.repeat(10_485_761))).status).toBe(413);
  });

  it('reads the rest of a body that is too large before it closes the connection', async () => {
    const half = Buffer.alloc(1_000_000, 'x');
    const head = `PUT /api/v1/company HTTP/1.1\r\nHost: x\r\nX-Service-Api-Key: ${admin}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${2 * half.length}\r\n\r\n`;
    const socket = connect({ port: platform.port, host: '127.0.0.1', allowHalfOpen: true });
    let text = '';
    let lost: Error | undefined;
    socket.on('data', (part) => (text += part.toString())).on('error', (error) => (lost = error));
    socket.write(head);
    // The rest follows when the gateway has read this half, most of which fits no buffer between the two.
    await new Promise((resolve) => socket.write(half, resolve));
    socket.end(half);
    await new Promise((resolve) => socket.once('close', resolve));
    // A connection that was reset may lose the response.
    expect(lost).toBeUndefined();
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('refuses a body sent in chunks as soon as it is too large', async () => {
    const head = `PUT /api/v1/company HTTP/1.1\r\nHost: x\r\nX-Service-Api-Key: ${admin}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const answer = await sendRaw(platform.port, [head, ...Array.from({ length: 17 }, () => chunk)]);
    expect([answer.status, JSON.parse(answer.body).error.status]).toEqual([413, 413]);
  });
});

describe('limits of a request', () => {
  it('accepts 100 query parameters and no more', async () => {
    const query = (count: number) => Array.from({ length: count }, (_, at) => `a${at}=1`).join('&');
    const get = (count: number) => ask(platform, 'GET', `/api/v1/company?${query(count)}`, { key: admin });
    expect(message(await get(100))).toContain('a0 is not a known query parameter (and 49 more)');
    expect(message(await get(101))).toContain('100 parameters');
  });

  it.each<[string, string, number]>([
    ['bytes that are no HTTP', 'hello\r\n\r\n', 400],
    ['an unknown version', 'GET / HTTP/9.9\r\n\r\n', 400],
    ['a bad header', 'GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n', 400],
    ['two lengths', 'POST /api/v1/api-keys HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n', 400],
    [
      'a length and chunks',
      'POST /api/v1/api-keys HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
    ['headers over 16 KiB', `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
    ['a path over 16 KiB', `GET /${'x'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    ['a malformed escape in a path', 'GET /docs/%zz HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    [
      'a parameter of 5,000 characters',
      `GET /api/v1/agents/${'1'.repeat(5000)} HTTP/1.1\r\nHost: x\r\nX-Service-Api-Key: KEY\r\n\r\n`,
      400,
    ],
    ['a strange method', 'PROPFIND /healthz HTTP/1.1\r\nHost: x\r\n\r\n', 405],
    ['a tunnel request', 'CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['no host', 'GET /healthz HTTP/1.1\r\n\r\n', 200],
    ['an unknown expectation', 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\n\r\n', 200],
  ])('%s', async (_, raw, status) => {
    const answer = await sendRaw(platform.port, [raw.replace('KEY', admin)]);
    expect(answer.status).toBe(status);
    if (status === 200) return;
    expect(JSON.parse(answer.body)).toMatchObject({ error: { status } });
    expect(answer.head.toLowerCase()).toContain('x-request-id: ');
  });

  it('closes a connection whose headers do not arrive within 10 s, while others are served', async () => {
    expect((await ask(platform, 'GET', '/healthz')).status).toBe(200);
    const answers = await slow;
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
    // Nothing else ends it earlier than after a minute.
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(60_000);
  }, 90_000);
});

describe('the rate limit', () => {
  it('is off by default', async () => {
    const { headers } = await ask(platform, 'GET', '/api/v1/company', { key: admin });
    expect(headers.get('ratelimit-limit')).toBeNull();
  });
});
