import { ApiError } from '@signalbox/contracts';

/** How many slow calls one key may have running at once. */
export const MAX_SLOW_PER_KEY = 200;

/** Counts the slow calls of each key, so that one key cannot hold every worker behind the gateway. */
export class Concurrency {
  private readonly running = new Map<number, number>();

  constructor(private readonly limit = MAX_SLOW_PER_KEY) {}

  /** Counts a call that begins, to be followed by `leave`; throws 429 when there are too many. */
  enter(keyId: number): void {
    const running = this.running.get(keyId) ?? 0;
    if (running >= this.limit)
      throw new ApiError('rate_limited', `the key has ${running} calls running`, { retryAfter: 1 });
    this.running.set(keyId, running + 1);
  }

  /** Counts a call that has ended. */
  leave(keyId: number): void {
    const left = (this.running.get(keyId) ?? 1) - 1;
    if (left > 0) this.running.set(keyId, left);
    else this.running.delete(keyId);
  }
}
