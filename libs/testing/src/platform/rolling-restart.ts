import type { Platform } from './platform.js';
import type { ServiceProcess } from './service-process.js';

export interface Replaced {
  process: ServiceProcess;
  exitCode: number | null;
  stopMs: number;
}

/** The same for all, or by label. */
export type ReplicaSettings = Record<string, string> | ((label: string) => Promise<Record<string, string>>);

export interface RolloutOptions {
  env?: ReplicaSettings;
  /**
   * `surge`, the default, is a Deployment with `maxUnavailable: 0`: the successor is ready before its predecessor
   * receives SIGTERM. `in place` is a StatefulSet: the predecessor has exited before its successor starts.
   */
  order?: 'surge' | 'in place';
  build?: string;
  /** Appended to a label to name its successor. */
  suffix?: string;
}

const settingsOf = async (env: ReplicaSettings, label: string): Promise<Record<string, string>> =>
  typeof env === 'function' ? env(label) : env;

export async function startReplicas(
  platform: Platform,
  service: string,
  count: number,
  env: ReplicaSettings = {},
  build?: string,
): Promise<string[]> {
  const labels = Array.from({ length: count }, (_, at) => `${service}-${at + 1}`);
  await Promise.all(
    labels.map(async (label) => platform.startService(service, label, await settingsOf(env, label), build)),
  );
  return labels;
}

export async function rollingRestart(
  platform: Platform,
  service: string,
  labels: string[],
  { env = {}, order = 'surge', build, suffix = '-next' }: RolloutOptions = {},
): Promise<Replaced[]> {
  const replaced: Replaced[] = [];
  for (const label of labels) {
    const next = `${label}${suffix}`;
    const startNext = async (): Promise<unknown> =>
      platform.startService(service, next, await settingsOf(env, next), build);
    if (order === 'surge') await startNext();
    replaced.push(await stopped(platform, label));
    if (order === 'in place') await startNext();
  }
  return replaced;
}

async function stopped(platform: Platform, label: string): Promise<Replaced> {
  const process = platform.service(label);
  const started = Date.now();
  await process.kill('SIGTERM');
  platform.processes.delete(label);
  return { process, exitCode: process.exitCode, stopMs: Date.now() - started };
}
