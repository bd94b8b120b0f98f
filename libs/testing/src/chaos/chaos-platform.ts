import { Platform } from '../platform/platform.js';

/** Work of killed processes continues sooner than by default, so that more faults meet it. */
export const CHAOS_LEASE = { WORK_LEASE_SECONDS: '10' };

export async function startChaosPlatform(): Promise<Platform> {
  const platform = await Platform.start({
    services: ['gateway', 'accounts', 'traffic', 'agents'],
    // A call whose process died holds its idempotency key until its deadline; a short time-out lets clients retry
    // sooner.
    env: { EGRESS_ALLOW: '127.0.0.1/32', INVOKE_TIMEOUT_SECONDS: '5', ...CHAOS_LEASE },
    durable: true,
  });
  await platform.startService('agents', 'agents 2');
  return platform;
}

export async function startWorkflowChaosPlatform(): Promise<Platform> {
  const platform = await Platform.start({
    services: ['gateway', 'accounts', 'traffic', 'workflows'],
    env: { EGRESS_ALLOW: '127.0.0.1/32', INVOKE_TIMEOUT_SECONDS: '5', ...CHAOS_LEASE },
    durable: true,
  });
  await Promise.all([
    platform.startService('workflows', 'workflows 2'),
    // Script processes are found by their folder.
    platform.startService('runner', 'runner', { TMPDIR: platform.servers.dir }),
  ]);
  return platform;
}
