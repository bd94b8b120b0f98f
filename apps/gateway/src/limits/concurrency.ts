import { ApiError } from '@signalbox/contracts';

export interface ConcurrencyLimits {
  perKey: number;
  total: number;
}

/** Over all processes that serve the key. */
export const MAX_SLOW_PER_KEY = 200;
/** Of one gateway: leaves sockets and memory for quick calls. */
export const MAX_SLOW = 2000;

/** Keeps one key, or all slow calls together, from starving other calls. */
export class Concurrency {
  private readonly running = new Map<number, number>();
  private all = 0;

  constructor(private limits: ConcurrencyLimits) {}

  /** Running calls stay counted. */
  setPerKey(perKey: number): void {
    this.limits = { ...this.limits, perKey };
  }

  /** Throws 429 or 503 at a limit; otherwise `leave` must follow. */
  enter(keyId: number): void {
    const running = this.running.get(keyId) ?? 0;
    if (running >= this.limits.perKey)
      throw new ApiError('rate_limited', `the key has ${running} calls running`, { retryAfter: 1 });
    if (this.all >= this.limits.total)
      throw new ApiError('unavailable', 'too many long calls are running', { retryAfter: 1 });
    this.running.set(keyId, running + 1);
    this.all++;
  }

  leave(keyId: number): void {
    this.all--;
    const left = (this.running.get(keyId) ?? 1) - 1;
    if (left > 0) this.running.set(keyId, left);
    else this.running.delete(keyId);
  }
}
