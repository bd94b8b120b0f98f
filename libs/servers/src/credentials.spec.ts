import { createHmac, hkdfSync } from 'node:crypto';
import { serviceCredentials, serviceKey } from './credentials.js';
import { hmacOf } from './hmac-state.js';

describe("a service's credentials", () => {
  it('are the same for the same key, and differ by key, service and use', () => {
    const agents = serviceCredentials('k'.repeat(32), 'agents');
    expect(serviceCredentials('k'.repeat(32), 'agents')).toEqual(agents);
    const others = [
      serviceCredentials('l'.repeat(32), 'agents').password,
      serviceCredentials('k'.repeat(32), 'traffic').password,
      agents.workerPassword,
      agents.natsPassword,
    ];
    expect(new Set([agents.password, ...others]).size).toBe(5);
  });

  it('name roles that need no quotes in Postgres', () => {
    expect(serviceCredentials('k', 'test-runs')).toMatchObject({
      role: 'svc_test_runs',
      workerRole: 'svc_test_runs_worker',
      natsUser: 'test-runs',
    });
  });
});

describe("a service's keys", () => {
  // Written by earlier versions, which used the master key directly.
  it.each(['m'.repeat(32), 'a'.repeat(64)])('read data that the master key has written', (masterKey) => {
    const old = hkdfSync('sha256', masterKey, 'signalbox', 'traffic provider secrets 1', 32);
    expect(serviceKey(masterKey, 'PROVIDER_SEAL_KEY')).toBe(Buffer.from(old).toString('hex'));
    const hashed = createHmac('sha256', `${masterKey}:api-keys:1`).update('svk_1').digest();
    expect(hmacOf(Buffer.from(serviceKey(masterKey, 'KEY_PEPPER'), 'hex'), 'svk_1')).toEqual(hashed);
    const claims = createHmac('sha256', masterKey).update('signalbox idempotency bodies').digest('hex');
    expect(serviceKey(masterKey, 'IDEMPOTENCY_KEY')).toBe(claims);
  });
});
