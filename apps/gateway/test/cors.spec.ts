import { Platform } from '@signalbox/testing';
import { ask } from './client.js';
import { sendRaw } from './raw-http.js';

const ORIGIN = 'https://app.example.com';

let platform: Platform;
let key: string;
beforeAll(async () => {
  platform = await Platform.shared(['accounts']);
  await platform.restartService('gateway', { CORS_ORIGINS: `${ORIGIN}, http://localhost:5173` });
  key = (await platform.company()).key;
}, 60_000);
afterAll(() => platform?.stop());

/** Sent as bytes, because the client of Node sets these headers itself. */
async function send(method: string, path: string, headers: Record<string, string>) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const { status, head } = await sendRaw(platform.port, [
    `${method} ${path} HTTP/1.1\r\nHost: x\r\n${lines.join('')}\r\n`,
  ]);
  const value = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1];
  return { status, value, head };
}

describe('requests from browsers', () => {
  it('get the response to a preflight without a key', async () => {
    const { status, value, head } = await send('OPTIONS', '/api/v1/company', {
      Origin: ORIGIN,
      'Access-Control-Request-Method': 'PUT',
      'Access-Control-Request-Headers': 'x-service-api-key',
    });
    expect([status, value('Access-Control-Allow-Origin'), value('Vary')]).toEqual([204, ORIGIN, 'Origin']);
    expect(value('Access-Control-Allow-Methods')?.split(', ').sort()).toEqual(['GET', 'HEAD', 'PATCH', 'PUT']);
    expect(value('Access-Control-Allow-Headers')).toContain('X-Service-Api-Key');
    expect(value('Access-Control-Max-Age')).toBe('600');
    expect(head).not.toMatch(/credentials/i);
  });

  it('may carry what the client of OpenAI adds', async () => {
    const { value } = await send('OPTIONS', '/api/v1/chat/completions', {
      Origin: ORIGIN,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,content-type,x-stainless-lang, X-Stainless-Retry-Count,x-evil',
    });
    expect(value('Access-Control-Allow-Headers')).toContain('traceparent, x-stainless-lang, x-stainless-retry-count');
    expect(value('Access-Control-Allow-Headers')).not.toContain('evil');
  });

  it('may read the response, also an error', async () => {
    const good = await send('GET', '/api/v1/company', { Origin: 'http://localhost:5173', 'X-Service-Api-Key': key });
    expect([good.status, good.value('Access-Control-Allow-Origin')]).toEqual([200, 'http://localhost:5173']);
    for (const header of ['X-Request-Id', 'X-Service-Task-Id', 'X-Service-Run-Id'])
      expect(good.value('Access-Control-Expose-Headers')).toContain(header);
    const refused = await send('GET', '/api/v1/company', { Origin: ORIGIN });
    expect([refused.status, refused.value('Access-Control-Allow-Origin')]).toEqual([401, ORIGIN]);
  });

  it.each(['https://evil.example.com', 'https://app.example.com.evil.com', 'null', 'http://app.example.com'])(
    'are not allowed from %s',
    async (origin) => {
      const preflight = await send('OPTIONS', '/api/v1/company', {
        Origin: origin,
        'Access-Control-Request-Method': 'PUT',
      });
      const get = await send('GET', '/api/v1/company', { Origin: origin, 'X-Service-Api-Key': key });
      expect([preflight.status, get.status]).toEqual([204, 200]);
      expect(preflight.head + get.head).not.toMatch(/access-control/i);
      expect(get.value('Vary')).toBe('Origin');
    },
  );

  it('learn the methods of a path by OPTIONS without a key, and of none that does not exist', async () => {
    const known = await ask(platform, 'OPTIONS', '/api/v1/company');
    expect([known.status, known.headers.get('allow')]).toEqual([204, 'GET, HEAD, PUT, PATCH, OPTIONS']);
    expect((await ask(platform, 'OPTIONS', '/api/v1/nothing')).status).toBe(404);
    expect((await ask(platform, 'DELETE', '/api/v1/company')).status).toBe(401);
  });
});
