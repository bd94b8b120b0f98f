import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Platform } from '../platform/platform.js';

/** What other clients got during an attack. */
export interface PlatformHealth {
  healthP99Ms: number;
  /** Delay of this process's timers, which shows how slow the machine itself is. */
  lagP99Ms: number;
  goodCalls: number;
  goodShare: number;
  grownMb: number;
}

async function residentMb(pid: number): Promise<number> {
  const [, pages] = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ');
  return (Number(pages) * 4096) / 1e6;
}

function p99(times: readonly number[]): number {
  const sorted = [...times].sort((one, other) => one - other);
  return Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? 0);
}

export class PlatformMonitor {
  private readonly health: number[] = [];
  private readonly lag: number[] = [];
  private good = 0;
  private calls = 0;
  private most = 0;
  private watching = true;
  private readonly work: Promise<unknown>;

  private constructor(
    private readonly platform: Platform,
    private readonly key: string,
    private readonly before: number,
  ) {
    this.work = Promise.all([this.probe(), this.call(), this.trackMemory()]);
  }

  static async of(platform: Platform, key: string): Promise<PlatformMonitor> {
    return new PlatformMonitor(platform, key, await residentMb(platform.service('gateway').pid));
  }

  private async probe(): Promise<void> {
    while (this.watching) {
      const started = performance.now();
      await fetch(`http://127.0.0.1:${this.platform.port}/healthz`).catch(() => undefined);
      const idleSince = performance.now();
      this.health.push(idleSince - started);
      await pause(50);
      this.lag.push(performance.now() - idleSince - 50);
    }
  }

  private async call(): Promise<void> {
    while (this.watching) {
      this.calls += 1;
      const asked = fetch(`${this.platform.baseUrl}/company`, { headers: { 'X-Service-Api-Key': this.key } });
      const ok = await asked.then(async (reply) => (await reply.text()) !== '' && reply.ok).catch(() => false);
      if (ok) this.good += 1;
      await pause(20);
    }
  }

  private async trackMemory(): Promise<void> {
    while (this.watching) {
      this.most = Math.max(this.most, await residentMb(this.platform.service('gateway').pid));
      await pause(100);
    }
  }

  async stop(): Promise<PlatformHealth> {
    this.watching = false;
    await this.work;
    return {
      healthP99Ms: p99(this.health),
      lagP99Ms: p99(this.lag),
      goodCalls: this.calls,
      goodShare: this.good / this.calls,
      grownMb: Math.round(this.most - this.before),
    };
  }
}
