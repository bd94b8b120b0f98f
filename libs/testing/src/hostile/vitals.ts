import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Platform } from '../platform/platform.js';

/** How the platform fared for everybody else. */
export interface VitalSigns {
  healthP99Ms: number;
  /** How much later than it asked to this process ran: what the machine alone costs. */
  lagP99Ms: number;
  goodCalls: number;
  /** Share of the calls of a good client that succeeded. */
  goodShare: number;
  /** The most that the memory of the gateway grew, in MB. */
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

/** Watches a platform as a good client and as an operator would, until told to stop. */
export class Vitals {
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
    this.work = Promise.all([this.probe(), this.call(), this.weigh()]);
  }

  static async of(platform: Platform, key: string): Promise<Vitals> {
    return new Vitals(platform, key, await residentMb(platform.service('gateway').pid));
  }

  private async probe(): Promise<void> {
    while (this.watching) {
      const started = performance.now();
      await fetch(`http://127.0.0.1:${this.platform.port}/healthz`).catch(() => undefined);
      const asleep = performance.now();
      this.health.push(asleep - started);
      await pause(50);
      this.lag.push(performance.now() - asleep - 50);
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

  private async weigh(): Promise<void> {
    while (this.watching) {
      this.most = Math.max(this.most, await residentMb(this.platform.service('gateway').pid));
      await pause(100);
    }
  }

  async stop(): Promise<VitalSigns> {
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
