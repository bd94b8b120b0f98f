import { Platform } from '../platform/platform.js';

/** Work of killed processes continues sooner than by default: more faults meet it in a given time. */
export const CHAOS_LEASE = { WORK_LEASE_SECONDS: '10' };

/** Starts what a scenario runs on: every service, and a second process of agents. */
export async function startChaosPlatform(): Promise<Platform> {
  const platform = await Platform.start({
    services: ['gateway', 'accounts', 'traffic', 'agents'],
    // A call whose process died holds its idempotency key until its deadline; the short timeout lets clients of this
    // run retry sooner.
    env: { EGRESS_ALLOW: '127.0.0.1/32', INVOKE_TIMEOUT_SECONDS: '5', ...CHAOS_LEASE },
    durable: true,
  });
  await platform.startService('agents', 'agents 2');
  return platform;
}

/** Starts what runs of workflows need, and a second process of workflows. */
export async function startWorkflowChaosPlatform(): Promise<Platform> {
  const platform = await Platform.start({
    services: ['gateway', 'accounts', 'traffic', 'workflows'],
    env: { EGRESS_ALLOW: '127.0.0.1/32', INVOKE_TIMEOUT_SECONDS: '5', ...CHAOS_LEASE },
    durable: true,
  });
  await Promise.all([
    platform.startService('workflows', 'workflows 2'),
    // The processes of scripts are found by their folder.
    platform.startService('runner', 'runner', { TMPDIR: platform.servers.dir }),
  ]);
  return platform;
}
