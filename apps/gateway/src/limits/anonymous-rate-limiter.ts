import { Injectable } from '@nestjs/common';
import { ApiError } from '@signalbox/contracts';
import type { RequestContext } from '../request/index.js';
import { ClientAddresses } from './client-address.js';
import { TokenBuckets } from './token-bucket.js';

const GUESSES_PER_SECOND = 50;

/**
 * Limits what an address may cost before its caller is known: look-ups of API keys and callback keys, and public
 * documents. A call that names an existing key or resource gets its charge back, so legitimate callers never wait.
 */
@Injectable()
export class AnonymousRateLimiter {
  private readonly buckets = new TokenBuckets(GUESSES_PER_SECOND);

  constructor(private readonly addresses: ClientAddresses) {}

  /** Throws 429. */
  admit({ request }: RequestContext, cost = 1): void {
    if (!this.buckets.take(this.addresses.of(request.raw), Date.now(), cost).allowed)
      throw new ApiError('rate_limited', 'too many requests', { retryAfter: 1 });
  }

  refund({ request }: RequestContext): void {
    this.buckets.refund(this.addresses.of(request.raw));
  }
}
