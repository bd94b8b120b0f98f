import { Concurrency, MAX_SLOW, MAX_SLOW_PER_KEY } from './concurrency.js';
import type { LimitSharers } from './limit-sharers.js';
import { TokenBuckets } from './token-bucket.js';

/** Separate buckets, so that addresses cannot evict keys. */
export interface RateLimit {
  keys: TokenBuckets;
  addresses: TokenBuckets;
}

/** Null when the rate limit is off. */
export function sharedRateLimit(rate: number, sharers: LimitSharers): RateLimit | null {
  if (rate === 0) return null;
  const limit: RateLimit = { keys: new TokenBuckets(rate), addresses: new TokenBuckets(rate) };
  sharers.follow((count) => {
    limit.keys.setRate(rate / count);
    limit.addresses.setRate(rate / count);
  });
  return limit;
}

export function sharedConcurrency(sharers: LimitSharers): Concurrency {
  const concurrency = new Concurrency({ perKey: MAX_SLOW_PER_KEY, total: MAX_SLOW });
  sharers.follow((count) => concurrency.setPerKey(Math.ceil(MAX_SLOW_PER_KEY / count)));
  return concurrency;
}
