import { readFile } from 'node:fs/promises';
import type { Platform } from './platform.js';

const SAMPLE_MS = 50;

export async function residentMib(platform: Platform, service: string): Promise<number> {
  const status = await readFile(`/proc/${platform.service(service).pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** Peaks in MiB. */
export async function peakMemoryDuring<T>(
  platform: Platform,
  services: readonly string[],
  work: () => Promise<T>,
): Promise<{ result: T; peaks: Record<string, number> }> {
  const peaks: Record<string, number> = {};
  const sample = async (): Promise<void> => {
    for (const name of services) peaks[name] = Math.max(peaks[name] ?? 0, await residentMib(platform, name));
  };
  let isOver = false;
  const sampled = (async () => {
    while (!isOver) {
      await sample();
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
    }
  })();
  try {
    return { result: await work(), peaks };
  } finally {
    isOver = true;
    await sampled;
  }
}
