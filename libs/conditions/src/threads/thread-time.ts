import { readFileSync, readlinkSync } from 'node:fs';

const NS_PER_MS = 1e6;

/** Null where the system has no ids of threads. */
export function ownThreadId(): number | null {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return null;
  }
}

/** In ms; null where the system does not count it by thread. */
export function cpuMsOf(threadId: number | null): number | null {
  if (threadId === null) return null;
  try {
    return Number(readFileSync(`/proc/self/task/${threadId}/schedstat`, 'latin1').split(' ')[0]) / NS_PER_MS;
  } catch {
    return null;
  }
}
