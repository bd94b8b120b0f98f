import { freePort } from '@signalbox/servers';
import { Platform } from '@signalbox/testing';
import { ask } from './client.js';

let platform: Platform;
let secondPort: number;
beforeAll(async () => {
  secondPort = await freePort();
  const env = { RATE_LIMIT_RPS: '1000', GATEWAY_REPLICAS: '2', TRUSTED_PROXIES: '127.0.0.0/8' };
  // Apart: the test counts on the absence of the service that hooks belong to.
  platform = await Platform.start({ services: ['accounts', 'gateway'], env });
  await platform.startService('gateway', 'gateway-2', { ...env, PORT: String(secondPort) });
}, 60_000);
afterAll(() => platform?.stop());

describe('limits of several gateways', () => {
  it('are shares of one limit for all of them', async () => {
    const { key } = await platform.company();
    const limits = await Promise.all(
      [platform.port, secondPort].map(async (port) => {
        const reply = await fetch(`http://127.0.0.1:${port}/api/v1/company`, { headers: { 'X-Service-Api-Key': key } });
        return [reply.status, reply.headers.get('ratelimit-limit')];
      }),
    );
    expect(limits).toEqual([
      [200, '500'],
      [200, '500'],
    ]);
  });
});

describe('callers without a key behind a trusted proxy', () => {
  const call = async (client: string) =>
    (
      await ask(platform, 'POST', `/api/v1/hooks/agents/${'a'.repeat(43)}`, {
        body: {},
        headers: { 'X-Forwarded-For': `203.0.113.1, ${client}` },
      })
    ).status;

  it('are counted separately: wrong keys of one block no callback of another', async () => {
    const replies = await Promise.all(Array.from({ length: 200 }, () => call('192.0.2.66')));
    expect(replies.filter((status) => status === 429).length).toBeGreaterThan(0);
    // 503 = admitted: the service behind does not run here.
    expect([await call('192.0.2.7'), await call('2001:db8::7')]).toEqual([503, 503]);
  });
});
