import { Injectable } from '@nestjs/common';
import { ApiError } from '@signalbox/contracts';
import type { Exchange } from '../replies/exchange.js';
import { ClientAddresses } from './client-address.js';
import { TokenBuckets } from './token-bucket.js';

/** How many addresses of things that need no key one client address may try out in a second. */
const GUESSES_PER_SECOND = 50;

/**
 * Slows down those who guess addresses that open without a key. Each call is charged to the client address it comes
 * from; one that has named something gets its charge back, so that callers who know where they are going never wait.
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

  /** The call was no guess. */
  wasKnown(exchange: Exchange): void {
    this.buckets.giveBack(this.addresses.of(exchange.request.raw));
  }
}
