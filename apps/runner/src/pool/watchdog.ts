import type { ScriptChild } from './script-child.js';

/** Enforced from outside of the child. */
export interface ExecutionLimits {
  wallMs: number;
  cpuMs: number;
  rssBytes: number;
  /** Whether the priority drops with the processor time used. */
  yields: boolean;
}

export type Breach = 'wall' | 'cpu' | 'memory';

const INTERVAL_MS = 50;

export class Watchdog {
  private readonly timer: NodeJS.Timeout;
  private readonly poll: NodeJS.Timeout;
  private readonly startCpuMs: number;
  cpuMs = 0;

  constructor(
    private readonly child: ScriptChild,
    private readonly limits: ExecutionLimits,
    private readonly breached: (breach: Breach) => void,
  ) {
    this.startCpuMs = child.usage()?.cpuMs ?? 0;
    this.timer = setTimeout(() => this.end('wall'), limits.wallMs);
    this.poll = setInterval(() => this.check(), INTERVAL_MS);
  }

  stop(): void {
    clearTimeout(this.timer);
    clearInterval(this.poll);
  }

  private check(): void {
    const usage = this.child.usage();
    if (!usage) return;
    this.cpuMs = usage.cpuMs - this.startCpuMs;
    if (this.limits.yields) this.child.yieldAfter(this.cpuMs);
    if (this.cpuMs > this.limits.cpuMs) this.end('cpu');
    else if (usage.rssBytes > this.limits.rssBytes) this.end('memory');
  }

  private end(breach: Breach): void {
    this.stop();
    this.breached(breach);
  }
}
