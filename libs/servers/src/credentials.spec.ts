import { serviceCredentials } from './credentials.js';

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

  it('name roles that Postgres takes without quotes', () => {
    expect(serviceCredentials('k', 'test-runs')).toMatchObject({
      role: 'svc_test_runs',
      workerRole: 'svc_test_runs_worker',
      natsUser: 'test-runs',
    });
  });
});
