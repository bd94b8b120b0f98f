import { freePort } from '@signalbox/servers';
import { eventually, Platform } from '@signalbox/testing';
import { ask } from './client.js';

let platform: Platform;
let secondPort: number;
/** Requests per second of a key, over all processes. */
const RATE = 60;
const env = { RATE_LIMIT_RPS: String(RATE), TRUSTED_PROXIES: '127.0.0.0/8' };
beforeAll(async () => {
  secondPort = await freePort();
  // Apart: the test counts on the absence of the service that hooks belong to.
  platform = await Platform.start({ services: ['accounts', 'gateway'], env });
  await platform.startService('gateway', 'gateway-2', { ...env, PORT: String(secondPort) });
}, 60_000);
afterAll(() => platform?.stop());

/** A call that every process refuses without another service once its key is known: its body is missing. */
const knock = (port: number, key: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}/api/v1/chat/completions`, { method: 'POST', headers: { 'X-Service-Api-Key': key } });

/** What a process grants to the key in a second. */
async function shareAt(port: number, key: string): Promise<number> {
  const reply = await knock(port, key);
  await reply.arrayBuffer();
  return Number(reply.headers.get('ratelimit-limit'));
}

const WINDOW_MS = 6000;

/** Sends more calls than are admitted; returns the admitted ones per second, after those that were saved up. */
async function admittedRate(ports: number[], key: string): Promise<number> {
  let admitted = 0;
  let running = true;
  const callers = ports.flatMap((port) =>
    Array.from({ length: 2 }, async () => {
      while (running) {
        const reply = await knock(port, key);
        await reply.arrayBuffer();
        if (reply.status !== 429) admitted++;
        else await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }),
  );
  const elapse = async (ms: number): Promise<{ at: number; admitted: number }> => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return { at: performance.now(), admitted };
  };
  const first = await elapse(2000);
  const last = await elapse(WINDOW_MS);
  running = false;
  await Promise.all(callers);
  return ((last.admitted - first.admitted) * 1000) / (last.at - first.at);
}

describe('limits of several processes', () => {
  it('are shares of one limit, however many gateways and completions processes run', async () => {
    const { key } = await platform.company();
    const thirdPort = await freePort();
    const sharedBy = async (ports: number[]): Promise<void> => {
      await eventually(`${ports.length} processes share the limit`, async () => {
        const shares = await Promise.all(ports.map((port) => shareAt(port, key)));
        return shares.every((share) => share === Math.ceil(RATE / ports.length));
      });
      // A machine that pauses admits less for a moment, and at most what is saved up in a second more.
      await eventually('the whole limit is admitted', async () => {
        const rate = await admittedRate(ports, key);
        expect(rate).toBeLessThan(RATE * 1.2);
        return rate > RATE * 0.8;
      });
    };
    await platform.startService('completions', 'completions', { ...env, PORT: String(thirdPort) });
    await sharedBy([platform.port, secondPort, thirdPort]);
    await platform.service('gateway-2').kill('SIGTERM');
    await sharedBy([platform.port, thirdPort]);
    await platform.service('completions').kill('SIGKILL');
    await eventually(
      'one that ended without notice is noticed',
      async () => (await shareAt(platform.port, key)) === RATE,
    );
  }, 120_000);
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
    // On a slow machine a flood may take so long that all of it is admitted.
    await eventually('a flood is refused', async () => {
      const replies = await Promise.all(Array.from({ length: 400 }, () => call('192.0.2.66')));
      return replies.includes(429);
    });
    // 503 = admitted: the service behind does not run here.
    expect([await call('192.0.2.7'), await call('2001:db8::7')]).toEqual([503, 503]);
  }, 60_000);
});
