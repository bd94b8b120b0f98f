import { ApiError } from '@signalbox/contracts';

/** How many slow calls may run at once. */
export interface ConcurrencyLimits {
  perKey: number;
  total: number;
}

/** How many slow calls one key may have running at once, over all processes that serve it. */
export const MAX_SLOW_PER_KEY = 200;
/** How many slow calls one gateway runs at once; the remaining sockets and memory are left for quick calls. */
export const MAX_SLOW = 2000;

/** Counts the slow calls of each key and of all, so that neither one key nor all slow calls together starve others. */
export class Concurrency {
  private readonly running = new Map<number, number>();
  private all = 0;

  constructor(private limits: ConcurrencyLimits) {}

  /** Changes the limit of each key; calls that run stay counted. */
  setPerKey(perKey: number): void {
    this.limits = { ...this.limits, perKey };
  }

  /** Counts a call that begins, to be followed by `leave`; throws 429 or 503 at a limit. */
  enter(keyId: number): void {
    const running = this.running.get(keyId) ?? 0;
    if (running >= this.limits.perKey)
      throw new ApiError('rate_limited', `the key has ${running} calls running`, { retryAfter: 1 });
    if (this.all >= this.limits.total)
      throw new ApiError('unavailable', 'too many long calls are running', { retryAfter: 1 });
    this.running.set(keyId, running + 1);
    this.all++;
  }

  /** Counts a call that has ended. */
  leave(keyId: number): void {
    this.all--;
    const left = (this.running.get(keyId) ?? 1) - 1;
    if (left > 0) this.running.set(keyId, left);
    else this.running.delete(keyId);
  }
}
