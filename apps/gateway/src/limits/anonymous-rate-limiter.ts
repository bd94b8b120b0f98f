import { Injectable } from '@nestjs/common';
import { ApiError } from '@signalbox/contracts';
import type { RequestContext } from '../request/index.js';
import { ClientAddresses } from './client-address.js';
import { TokenBuckets } from './token-bucket.js';

/** How many unknown API keys, callback keys or paths without a key one client address may try in a second. */
const GUESSES_PER_SECOND = 50;

/**
 * Limits what a client address may cost before anything is known of the caller: look-ups of API keys and callback keys,
 * and public documents. A call that has named an existing key or resource gets its charge back, so that legitimate
 * callers never wait.
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

  /** Returns the charge: the call named an existing resource. */
  refund({ request }: RequestContext): void {
    this.buckets.refund(this.addresses.of(request.raw));
  }
}
