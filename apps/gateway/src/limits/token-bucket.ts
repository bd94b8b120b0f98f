import { LRUCache } from 'lru-cache';

/** The rate limit as reported to a client. */
export interface Quota {
  limit: number;
  remaining: number;
  /** Seconds until the bucket is full again. */
  reset: number;
  allowed: boolean;
}

interface Bucket {
  tokens: number;
  at: number;
}

const MAX_BUCKETS = 10_000;

/**
 * One bucket of tokens per name: `rate` tokens a second, at most one second's worth and never less than one saved up. The
 * names in use keep their bucket: the one that was used longest ago is evicted.
 */
export class TokenBuckets {
  private readonly buckets = new LRUCache<string, Bucket>({ max: MAX_BUCKETS });

  constructor(private rate: number) {}

  /** Changes the rate of all buckets; what a bucket holds beyond its new size is lost. */
  setRate(rate: number): void {
    this.rate = rate;
  }

  private get size(): number {
    return Math.max(1, this.rate);
  }

  /** Takes tokens at the given time in milliseconds, all or none. */
  take(name: string, now: number, cost = 1): Quota {
    const bucket = this.filled(name, now);
    const allowed = bucket.tokens >= Math.min(cost, this.size);
    if (allowed) bucket.tokens -= cost;
    return {
      limit: Math.ceil(this.rate),
      remaining: Math.max(0, Math.floor(bucket.tokens)),
      reset: Math.ceil((this.size - bucket.tokens) / this.rate),
      allowed,
    };
  }

  /** Returns a token that was not needed. */
  refund(name: string): void {
    const bucket = this.buckets.get(name);
    if (bucket) bucket.tokens = Math.min(this.size, bucket.tokens + 1);
  }

  private filled(name: string, now: number): Bucket {
    const known = this.buckets.get(name);
    if (known) {
      known.tokens = Math.min(this.size, known.tokens + (Math.max(0, now - known.at) / 1000) * this.rate);
      known.at = now;
      return known;
    }
    // An evicted name starts again with a full bucket.
    const bucket = { tokens: this.size, at: now };
    this.buckets.set(name, bucket);
    return bucket;
  }
}
