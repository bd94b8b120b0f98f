import { readFileSync } from 'node:fs';

export interface Usage {
  rssBytes: number;
  cpuMs: number;
}

const PAGE_BYTES = 4096;
/** USER_HZ, which is fixed in the interface of /proc. */
const TICKS_PER_SECOND = 100;
const USER_TIME = 11;
const SYSTEM_TIME = 12;

export const reportsUsage = (): boolean => usageOf(process.pid) !== null;

/** Null when the process has ended, or the system does not report usage. */
export function usageOf(pid: number): Usage | null {
  try {
    const [, pages = ''] = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ');
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program, in parentheses, may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME]);
    return { rssBytes: Number(pages) * PAGE_BYTES, cpuMs: (ticks * 1000) / TICKS_PER_SECOND };
  } catch {
    return null;
  }
}

/** The process at the end of a chain of wrappers: the descendant without a child. */
export function innermost(pid: number): number {
  try {
    const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ');
    return child ? innermost(Number(child)) : pid;
  } catch {
    return pid;
  }
}
