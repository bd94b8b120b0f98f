import { LRUCache } from 'lru-cache';

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
 * One bucket per name, refilled with `rate` tokens a second up to one second's worth, but at least one token. The least
 * recently used bucket is evicted.
 */
export class TokenBuckets {
  private readonly buckets = new LRUCache<string, Bucket>({ max: MAX_BUCKETS });

  constructor(private rate: number) {}

  setRate(rate: number): void {
    this.rate = rate;
  }

  private get size(): number {
    return Math.max(1, this.rate);
  }

  /** Takes all of the tokens or none; `now` is in milliseconds. */
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
    const bucket = { tokens: this.size, at: now };
    this.buckets.set(name, bucket);
    return bucket;
  }
}
