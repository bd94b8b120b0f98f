import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { type Memory, type Needs, RunningCounts } from './admission.js';

const MIB = 1024 * 1024;
/** The part of the memory of the machine, or of the container, that scripts may use together. */
const SHARE = 0.75;
/** The part of the budget that is left for companies with nothing running. */
const RESERVE = 0.25;
/** What nested scripts may exceed the budget by, so that those that wait for them end; the machine has a quarter more. */
const NESTED_EXCESS = 0.25;
/** Where a container finds its limit: control groups of version 2, then 1. */
const LIMITS = ['/sys/fs/cgroup/memory.max', '/sys/fs/cgroup/memory/memory.limit_in_bytes'];

/** The memory that scripts may use together, in MB, when no setting says so. */
export function availableMb(): number {
  const limits = LIMITS.map(limitIn).filter((bytes) => bytes > 0);
  return Math.floor((Math.min(totalmem(), ...limits) * SHARE) / MIB);
}

function limitIn(file: string): number {
  try {
    return Number(readFileSync(file, 'latin1')) || 0;
  } catch {
    return 0;
  }
}

/**
 * The memory of all scripts of this process: what runs may use is admitted as a sum, whatever the number of slots. One
 * company has at most half of it, or one script; a quarter is left to companies that have nothing running. Nested
 * scripts are what others wait for while these keep their memory: the deepest one of a company may exceed the bounds.
 */
export class MemoryBudget implements Memory {
  private readonly usedMb = new RunningCounts();
  private readonly running = new RunningCounts();
  private readonly listeners: (() => void)[] = [];

  constructor(readonly totalMb: number) {}

  /** Calls back when an execution has ended. */
  onFreed(then: () => void): void {
    this.listeners.push(then);
  }

  /** Calls the listeners: executions may fit now. */
  freed(): void {
    for (const then of this.listeners) then();
  }

  get leftMb(): number {
    return this.totalMb - this.usedMb.total;
  }

  fits({ company, depth, memoryMb }: Needs): boolean {
    const { totalMb } = this;
    const all = this.usedMb.total + memoryMb;
    const isDeepest = depth > 0 && this.running.ofCompany(company, depth) === 0;
    if (isDeepest) return all <= totalMb * (1 + NESTED_EXCESS) || this.running.from(depth) === 0;
    if (this.hasNone(company)) return all <= totalMb;
    return all <= totalMb * (1 - RESERVE) && this.usedMb.ofCompany(company) + memoryMb <= totalMb / 2;
  }

  hasNone(company: number): boolean {
    return this.running.ofCompany(company) === 0;
  }

  take(one: Needs): void {
    this.usedMb.add(one, one.memoryMb);
    this.running.add(one);
  }

  give(one: Needs): void {
    this.usedMb.remove(one, one.memoryMb);
    this.running.remove(one);
  }
}
