import { connect } from 'node:net';
import { eventually, Platform } from '@signalbox/testing';
import { ask } from './client.js';

let platform: Platform;
let admin: string;
beforeAll(async () => {
  platform = await Platform.shared(['accounts', 'gateway']);
  admin = (await platform.company()).key;
}, 60_000);
afterAll(() => platform?.stop());

describe('stopping', () => {
  /** How long a stop took whose probes were answered. */
  let probedMs = Infinity;

  it('drains: readyz reports it, and no request of a client that heeds it is lost', async () => {
    await ask(platform, 'GET', '/readyz');
    const gateway = platform.service('gateway');
    let draining = false;
    const statuses: number[] = [];
    const clients = Array.from({ length: 8 }, async () => {
      while (!draining) statuses.push((await ask(platform, 'GET', '/api/v1/company', { key: admin })).status);
    });
    await eventually('the clients are served', () => statuses.length > clients.length);
    const started = performance.now();
    const ended = gateway.kill('SIGTERM');
    while (!draining) {
      const { status, body } = await ask(platform, 'GET', '/readyz');
      draining = status === 503 && (body as { status: string }).status === 'draining';
    }
    await Promise.all(clients);
    const last = await ask(platform, 'GET', '/api/v1/company', { key: admin });
    expect([last.status, last.headers.get('connection')]).toEqual([200, 'close']);
    await ended;
    probedMs = performance.now() - started;
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(statuses.length).toBeGreaterThan(8);
  }, 90_000);

  it('stops sooner without probes', async () => {
    const gateway = platform.service('gateway');
    if (!gateway.running) await gateway.start();
    const started = performance.now();
    await gateway.kill('SIGTERM');
    // With a probe it waits five seconds for the load balancer.
    expect(performance.now() - started).toBeLessThan(probedMs);
  }, 90_000);

  it('does not wait for a connection without a request', async () => {
    const gateway = platform.service('gateway');
    if (!gateway.running) await gateway.start();
    const silent = connect(platform.port, '127.0.0.1');
    await new Promise((resolve) => silent.once('connect', resolve));
    // The gateway has the connection when it has replied on a later one.
    expect((await ask(platform, 'GET', '/api/v1/company', { key: admin })).status).toBe(200);
    const started = performance.now();
    await gateway.kill('SIGTERM');
    // An idle connection is kept open for 75 s.
    expect(performance.now() - started).toBeLessThan(70_000);
    silent.destroy();
  }, 90_000);
});
