import { apiKeys } from '@signalbox/contracts';
import { newKeyText } from '@signalbox/platform';
import { atMost, eventually, Platform } from '@signalbox/testing';
import { ask } from './client.js';
import { sendRaw } from './raw-http.js';

let platform: Platform;
let admin: string;
let companyId: number;
beforeAll(async () => {
  platform = await Platform.shared(['accounts', 'traffic', 'gateway']);
  ({ key: admin, companyId } = await platform.company('Acme'));
}, 60_000);
afterAll(() => platform?.stop());

const PATH = '/api/v1/company';
const status = async (key: string | null, headers: Record<string, string> = {}) =>
  (await ask(platform, 'GET', PATH, { key, headers })).status;
const make = (body: object) =>
  platform.bus.call(apiKeys.endpoints.createApiKey, body as never, platform.caller(companyId)) as Promise<{
    id: number;
    key: string;
  }>;

describe('keys', () => {
  it.each<[string, (key: string) => string]>([
    ['an empty key', () => ''],
    ['garbage', () => 'garbage'],
    ['a key with another check', (key) => `${key.slice(0, -6)}000000`],
    ['a key with another secret', (key) => key.replace(/(?<=_)\w/, (first) => (first === 'a' ? 'b' : 'a'))],
    ['two keys in a list', (key) => `${key}, ${key}`],
    ['a key of 10 kB', () => 'k'.repeat(10_000)],
    ['a key in another case', (key) => key.toLowerCase()],
  ])('%s is no identity', async (_, change) => expect(await status(change(admin))).toBe(401));

  it('is refused when the header is sent twice, even with the same key', async () => {
    const header = `X-Service-Api-Key: ${admin}\r\n`;
    const raw = `GET ${PATH} HTTP/1.1\r\nHost: x\r\n${header}${header}\r\n`;
    expect((await sendRaw(platform.port, [raw])).status).toBe(401);
  });

  it('is refused as a bearer, a query parameter or a cookie where those are not accepted', async () => {
    expect(await status(null, { Authorization: `Bearer ${admin}` })).toBe(401);
    expect(await status(null, { Cookie: `X-Service-Api-Key=${admin}` })).toBe(401);
    expect((await ask(platform, 'GET', `${PATH}?X-Service-Api-Key=${admin}`)).status).toBe(401);
  });

  it('may be a bearer on the list of models, where the other header takes precedence', async () => {
    const models = (headers: Record<string, string>) => ask(platform, 'GET', '/api/v1/models', { headers });
    expect((await models({ Authorization: `Bearer ${admin}` })).status).toBe(200);
    expect((await models({ Authorization: `Bearer ${admin}`, 'X-Service-Api-Key': 'x' })).status).toBe(401);
    expect((await models({ Authorization: 'Bearer x', 'X-Service-Api-Key': admin })).status).toBe(200);
    expect((await models({ Authorization: `Bearer ${admin}x` })).status).toBe(401);
  });

  it('has no effect from the moment it is revoked', async () => {
    const key = await make({ name: 'short', scopes: ['read'] });
    expect(await status(key.key)).toBe(200);
    await platform.bus.call(apiKeys.endpoints.revokeApiKey, { api_key_id: key.id }, platform.caller(companyId));
    // Without the announcement the gateway knows the key for four seconds.
    expect(await atMost(2500, async () => (await status(key.key)) === 401)).toBe(true);
  });

  it('has no effect from the moment it expires', async () => {
    let [expires, key] = [0, { key: '' }];
    // On a slow machine it may have expired when it is used first: then the next one lives longer.
    for (let aheadMs = 1500, first = 401; first !== 200; aheadMs *= 2) {
      expires = Date.now() + aheadMs;
      key = await make({ name: 'short', scopes: ['read'], expires_at: expires });
      first = await status(key.key);
      if (first !== 200) expect([first, Date.now() >= expires]).toEqual([401, true]);
    }
    await eventually('the key is refused', async () => (await status(key.key)) === 401);
    // The gateway knows the key for far longer than that: it was refused because it has expired, and not before.
    expect(Date.now()).toBeGreaterThanOrEqual(expires);
  });

  it('is looked up once for many calls at once', async () => {
    const key = await make({ name: 'crowd', scopes: ['read'] });
    let lookedUp = 0;
    const stop = platform.connection.listen('rpc.*.identities.resolveKey', () => lookedUp++);
    await platform.connection.nats.flush();
    const all = await Promise.all(Array.from({ length: 50 }, () => status(key.key)));
    stop();
    expect([new Set(all), lookedUp]).toEqual([new Set([200]), 1]);
  });

  it('is not guessed faster than the limit of an address, and known keys of that address are served', async () => {
    const began = Date.now();
    const wrongKeys = await Promise.all(Array.from({ length: 600 }, () => status(newKeyText().text)));
    const most = 50 * (1 + (Date.now() - began) / 1000);
    expect(new Set(wrongKeys)).toEqual(new Set([401, 429]));
    const lookedUp = wrongKeys.filter((each) => each === 401).length;
    expect(lookedUp).toBeGreaterThanOrEqual(50);
    expect(lookedUp).toBeLessThanOrEqual(most);
    expect(await status(admin)).toBe(200);
    const malformed = await Promise.all(Array.from({ length: 200 }, () => status('garbage')));
    expect(new Set(malformed)).toEqual(new Set([401]));
  });

  it('cannot be resolved while accounts is down: 503, and again 200 when it is available', async () => {
    const key = await make({ name: 'later', scopes: ['read'] });
    await platform.service('accounts').kill('SIGKILL');
    const answer = await ask(platform, 'GET', PATH, { key: key.key });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await status('garbage')).toBe(401);
    await platform.service('accounts').start();
    await eventually('accounts is available again', async () => (await status(key.key)) === 200);
  });
});
