import { readFileSync } from 'node:fs';
import { treeOf } from './cpu.js';

function pssOf(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Megabytes of memory that the processes and their descendants hold, shared pages counted once. */
export const memoryMb = (roots: readonly number[]): number =>
  treeOf(roots).reduce((sum, pid) => sum + pssOf(pid), 0) / 1024;

/** The most megabytes that a process has held at once since it started. */
export const peakMb = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
