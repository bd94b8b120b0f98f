import { ApiError } from '@signalbox/contracts';
import type { RequestContext } from '../request/index.js';
import type { ClientAddresses } from './client-address.js';
import type { RateLimit } from './key-limits.js';
import type { TokenBuckets } from './token-bucket.js';

export class RateLimits {
  constructor(
    private readonly limit: RateLimit | null,
    private readonly addresses: ClientAddresses,
  ) {}

  /** Throws 429. */
  chargeKey(context: RequestContext): void {
    if (this.limit && context.key) this.charge(context, this.limit.keys, String(context.key.keyId));
  }

  /** For a request without a valid key; throws 429. */
  chargeAddress(context: RequestContext): void {
    if (this.limit) this.charge(context, this.limit.addresses, this.addresses.of(context.request.raw));
  }

  private charge(context: RequestContext, buckets: TokenBuckets, name: string): void {
    const quota = buckets.take(name, Date.now());
    context.rateLimit = quota;
    if (!quota.allowed)
      throw new ApiError('rate_limited', 'too many requests', { retryAfter: Math.max(1, quota.reset) });
  }
}
