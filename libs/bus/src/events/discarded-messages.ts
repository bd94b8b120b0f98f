import type { ConsumerInfo } from '@nats-io/jetstream';
import { consumerDiscarded, type Logger } from '@signalbox/platform';

/**
 * Notices that a stream, which is limited by size and age, has discarded messages that a consumer had not read. How many
 * of them the consumer selects is not known any more: the number is that of all.
 */
export class DiscardedMessages {
  /** Where the consumer was when it had unread messages. */
  private unreadAfter: number | null = null;

  constructor(
    private readonly durable: string,
    private readonly logger: Pick<Logger, 'error'>,
  ) {}

  /** What the consumer had left unread when its last process ended. */
  begin({ delivered, num_pending }: ConsumerInfo): void {
    // One that has read nothing yet begins where the stream does.
    this.unreadAfter = num_pending > 0 && delivered.consumer_seq > 0 ? delivered.stream_seq : null;
  }

  /** Compares the place of the consumer, with unread messages twice in a row, with the first message of the stream. */
  look({ delivered, num_pending }: ConsumerInfo, first: number): void {
    const after = delivered.stream_seq;
    if (this.unreadAfter !== null && num_pending > 0 && after <= this.unreadAfter && first > this.unreadAfter + 1) {
      const count = first - 1 - this.unreadAfter;
      consumerDiscarded.inc({ consumer: this.durable }, count);
      this.logger.error(
        { consumer: this.durable, after, first, count },
        'the stream has discarded messages before this consumer has read them: raise EVENTS_STREAM_MAX_BYTES',
      );
      this.unreadAfter = first - 1;
      return;
    }
    if (num_pending === 0) this.unreadAfter = null;
    else if (this.unreadAfter === null || after > this.unreadAfter) this.unreadAfter = after;
  }
}
