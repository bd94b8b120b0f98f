import type { Platform } from './platform.js';
import type { ServiceProcess } from './service-process.js';

/** One replica that was replaced: how it ended, and how long that took. */
export interface Replaced {
  process: ServiceProcess;
  exitCode: number | null;
  stopMs: number;
}

/** Starts `count` processes of a service; returns the labels they are known by on the platform. */
export async function startReplicas(
  platform: Platform,
  service: string,
  count: number,
  env: Record<string, string> = {},
): Promise<string[]> {
  const labels = Array.from({ length: count }, (_, at) => `${service}-${at + 1}`);
  await Promise.all(labels.map((label) => platform.startService(service, label, env)));
  return labels;
}

/**
 * Replaces the processes of a service one after the other, as a deployment with `maxUnavailable: 0` does: the successor
 * is ready before its predecessor receives SIGTERM, and the next one follows when that has exited.
 */
export async function rollingRestart(
  platform: Platform,
  service: string,
  labels: string[],
  env: Record<string, string> = {},
): Promise<Replaced[]> {
  const replaced: Replaced[] = [];
  for (const label of labels) {
    const process = platform.service(label);
    await platform.startService(service, `${label}-next`, env);
    const started = Date.now();
    await process.kill('SIGTERM');
    replaced.push({ process, exitCode: process.exitCode, stopMs: Date.now() - started });
    platform.processes.delete(label);
  }
  return replaced;
}
