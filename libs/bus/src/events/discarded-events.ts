import { Inject, Injectable } from '@nestjs/common';
import { OUTBOX, type OutboxStore, type SentSpan } from '@signalbox/platform';
import { KEEP_SENT_HOURS } from './relay.js';
import { DUPLICATES_MS, EventStream, STREAM } from './streams.js';

const HOUR_MS = 3_600_000;
/** A message is marked as sent after its stream has stored it, by another clock. */
const MARKED_LATER_MS = 60_000;

/**
 * Messages that the stream, which is limited by size and age, has discarded, as far as the outbox still has them. Which
 * of them a consumer had not read is not known: all are sent again, and the inboxes drop those that were applied.
 */
@Injectable()
export class DiscardedEvents {
  constructor(
    @Inject(OUTBOX) private readonly outbox: OutboxStore,
    private readonly stream: EventStream,
  ) {}

  /** Their number, up to `COUNTED_SENT`. */
  async count(): Promise<number> {
    return this.outbox.countSent(STREAM, spanUntil(await this.discardedUntil()));
  }

  /**
   * Gives a slice of them back to the relay. The next call takes the returned `until`: what the relay sends meanwhile may
   * make the stream discard more.
   */
  async resend(given: number | undefined): Promise<{ messages: number; until: number }> {
    const until = given ?? (await this.discardedUntil());
    return { messages: await this.outbox.resendSlice(STREAM, spanUntil(until)), until };
  }

  private async discardedUntil(): Promise<number> {
    const since = (await this.stream.storesSince(STREAM)) ?? Infinity;
    return Math.min(since + MARKED_LATER_MS, Date.now() - DUPLICATES_MS);
  }
}

const spanUntil = (until: number): SentSpan => ({ after: Date.now() - KEEP_SENT_HOURS * HOUR_MS, until });
