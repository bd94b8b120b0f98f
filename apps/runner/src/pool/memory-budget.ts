import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { COMPILING, type Memory, type Needs, RunningCounts } from './admission.js';

const MIB = 1024 * 1024;
/** Share of the memory of the machine or container that scripts may use together. */
const SHARE = 0.75;
/** Share of the budget that is left for companies with nothing running. */
const RESERVE = 0.25;
/** How far nested scripts may exceed the budget, so that those waiting for them end; the machine has a quarter more. */
const NESTED_EXCESS = 0.25;
/** Limits of the container, in cgroup v2 and v1. */
const LIMITS = ['/sys/fs/cgroup/memory.max', '/sys/fs/cgroup/memory/memory.limit_in_bytes'];

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
 * Admits scripts by the sum of the memory they may use. One company gets at most half of it, or one script; a quarter
 * is left to companies with nothing running and to compilations, which are short. Scripts keep their memory while they
 * wait for nested ones, so the deepest nested script of a company may exceed these bounds: otherwise none would end.
 */
export class MemoryBudget implements Memory {
  private readonly usedMb = new RunningCounts();
  private readonly running = new RunningCounts();
  private readonly listeners: (() => void)[] = [];

  constructor(readonly totalMb: number) {}

  onFreed(then: () => void): void {
    this.listeners.push(then);
  }

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
    if (this.hasNone(company) || depth === COMPILING) return all <= totalMb;
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
