import type { ConsumerInfo } from '@nats-io/jetstream';
import { consumerDiscarded, type Logger } from '@signalbox/platform';

/**
 * Notices that a stream, which is limited by size and age, has discarded messages that a consumer had not read. How
 * many of them the consumer selects is unknown: all are counted.
 */
export class DiscardedMessages {
  private unreadAfter: number | null = null;

  constructor(
    private readonly durable: string,
    private readonly logger: Pick<Logger, 'error'>,
  ) {}

  begin({ delivered, num_pending }: ConsumerInfo): void {
    // A consumer that has read nothing begins where the stream does.
    this.unreadAfter = num_pending > 0 && delivered.consumer_seq > 0 ? delivered.stream_seq : null;
  }

  /** Lost when the first message of the stream is beyond a consumer that has had unread messages twice in a row. */
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
