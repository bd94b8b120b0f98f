import { Injectable } from '@nestjs/common';
import { ApiError } from '@signalbox/contracts';
import type { Exchange } from '../replies/exchange.js';
import { ClientAddresses } from './client-address.js';
import { TokenBuckets } from './token-bucket.js';

/** How many unknown callback keys or paths without a key one client address may try in a second. */
const GUESSES_PER_SECOND = 50;

/**
 * Limits guessing of paths that need no API key. Each call is charged to the client address; a call that has named an
 * existing resource gets its charge back, so that legitimate callers never wait.
 */
@Injectable()
export class AnonymousRateLimiter {
  private readonly buckets = new TokenBuckets(GUESSES_PER_SECOND);

  constructor(private readonly addresses: ClientAddresses) {}

  /** Throws 429. */
  admit(exchange: Exchange): void {
    if (!this.buckets.take(this.addresses.of(exchange.request.raw), Date.now()).allowed)
      throw new ApiError('rate_limited', 'too many requests', { retryAfter: 1 });
  }

  /** Returns the charge: the call named an existing resource. */
  refund(exchange: Exchange): void {
    this.buckets.refund(this.addresses.of(exchange.request.raw));
  }
}
