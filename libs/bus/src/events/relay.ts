import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type BeforeApplicationShutdown } from '@nestjs/common';
import {
  LOGGER,
  type Logger,
  OUTBOX,
  OUTBOX_STREAMS,
  outboxOldest,
  outboxPending,
  outboxRefused,
  type OutboxMessage,
  type OutboxStore,
  type OutboxStream,
  type Publication,
  type Relayed,
} from '@signalbox/platform';
import { outboxSubject } from './relay-wakeup.js';
import { BusConnection } from '../connection.js';
import { ForbiddenSubjects } from './forbidden-subjects.js';
import { publication } from './publications.js';
import { sentSubject } from '../calls/senders.js';
import { Every } from '../intervals/every.js';
import { EventStream } from './streams.js';

const BATCH_ROWS = 200;
/** In memory at once; also the limit of one message, unless the bus carries less. */
const BATCH_BYTES = 4 * 1024 * 1024;
/** Reserved of the payload limit for subject and headers. */
const HEADER_BYTES = 16_384;
const POLL_MS = 1000;
/** Minimum between passes under continuous load: what commits meanwhile shares a pass. */
const PASS_MS = 25;
/** Retry while another process sends the messages of a stream. */
const ELSEWHERE_MS = 50;
const MEASURE_MS = 5000;
/** For so long a message can be sent again. */
export const KEEP_SENT_HOURS = 24;
const PRUNE_EVERY_MS = 3_600_000;

/**
 * Publishes outbox messages to their streams, in order of their ids, at least once. A stream that accepts nothing
 * delays only its own messages; a message that the bus refuses for good becomes a dead letter, one that it does not
 * permit waits, each alone. When a stream turns out to be new, the messages of the last 24 hours are sent again;
 * inboxes drop repeats.
 */
@Injectable()
export class OutboxRelay implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private running: Promise<void> = Promise.resolve();
  private readonly wanted = new Set<OutboxStream>();
  private busy = false;
  private began = -PASS_MS;
  private pauseMs = PASS_MS;
  private stopped = false;
  private readonly checked = new Set<OutboxStream>();
  private readonly forbidden: ForbiddenSubjects;
  private unlisten: () => void = () => undefined;

  constructor(
    @Inject(OUTBOX) private readonly outbox: OutboxStore,
    private readonly stream: EventStream,
    private readonly connection: BusConnection,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.forbidden = new ForbiddenSubjects(logger);
  }

  onApplicationBootstrap(): void {
    this.outbox.onAdded((streams) => this.wake(streams));
    this.unlisten = this.connection.listen(outboxSubject(this.connection.name), (payload) =>
      this.wake(streamsIn(payload)),
    );
    this.connection.onReconnect(() => {
      this.checked.clear();
      this.wake(OUTBOX_STREAMS);
    });
  }

  /** Before the pools are closed; later messages are sent by another process or after the next start. */
  async beforeApplicationShutdown(): Promise<void> {
    this.unlisten();
    this.stopped = true;
    await this.running;
  }

  @Every(POLL_MS, 'the outbox could not be relayed')
  async poll(): Promise<void> {
    // One statement instead of a transaction per stream: most polls find nothing.
    const unsent = await this.outbox.unsent();
    this.wake(OUTBOX_STREAMS.filter((stream) => unsent.includes(stream) || !this.checked.has(stream)));
  }

  private wake(streams: readonly OutboxStream[]): void {
    for (const stream of streams) this.wanted.add(stream);
    if (this.busy || this.stopped) return;
    this.busy = true;
    this.running = this.drain().finally(() => (this.busy = false));
  }

  private async drain(): Promise<void> {
    while (this.wanted.size > 0 && !this.stopped && this.connection.isUp) {
      const early = this.began + this.pauseMs - performance.now();
      if (early > 0) await delay(early);
      this.began = performance.now();
      const pauses: number[] = [];
      for (const stream of OUTBOX_STREAMS)
        if (this.wanted.delete(stream)) {
          const { more, done } = await this.pass(stream);
          if (more) this.wanted.add(stream);
          pauses.push(more ? (done > 0 ? 0 : ELSEWHERE_MS) : PASS_MS);
        }
      this.pauseMs = Math.min(...pauses);
    }
  }

  private async pass(stream: OutboxStream): Promise<Pick<Relayed, 'more' | 'done'>> {
    try {
      await this.noticeNewStream(stream);
      const bytes = Math.min(BATCH_BYTES, (this.connection.nats.info?.max_payload ?? BATCH_BYTES) - HEADER_BYTES);
      const { refused, failure, more, done } = await this.outbox.relay(
        { stream, rows: BATCH_ROWS, bytes, without: this.forbidden.current() },
        (messages) => Promise.all(messages.map((message) => this.publish(message))),
      );
      if (refused > 0) {
        outboxRefused.inc(refused);
        this.logger.error({ stream, refused }, 'the bus refused messages for good: they are dead letters now');
      }
      if (failure) throw failure;
      return { more, done };
    } catch (error) {
      // The rows stay unsent; the next poll retries them.
      this.checked.delete(stream);
      this.logger.warn({ error, stream }, 'the outbox could not be relayed');
      return { more: false, done: 0 };
    }
  }

  private async publish(message: OutboxMessage): Promise<Publication> {
    const { subject } = message;
    const made = await publication(this.stream.js, { ...message, subject: sentSubject(this.connection.name, subject) });
    if (made.state === 'forbidden') this.forbidden.add(subject);
    return made;
  }

  private async noticeNewStream(stream: OutboxStream): Promise<void> {
    if (this.checked.has(stream)) return;
    const created = await this.stream.ensure(stream);
    const known = await this.outbox.streamCreated(stream);
    if (known !== null && known !== created) {
      this.logger.warn({ stream }, 'the bus has lost its store: the messages of the last day are sent again');
      await this.outbox.resend(stream, KEEP_SENT_HOURS);
    }
    if (known !== created) await this.outbox.setStreamCreated(stream, created);
    this.checked.add(stream);
  }

  @Every(MEASURE_MS, 'the outbox could not be measured')
  async measure(): Promise<void> {
    const { messages, oldestMs } = await this.outbox.backlog();
    outboxPending.set(messages);
    outboxOldest.set(oldestMs / 1000);
  }

  /** An event can be redelivered for as long as its stream stores it, and a day longer when it was sent again. */
  @Every(PRUNE_EVERY_MS, 'sent messages and old records could not be pruned')
  async prune(): Promise<void> {
    const inbox = this.stream.limits.eventsHours + KEEP_SENT_HOURS;
    await this.outbox.prune({ sent: KEEP_SENT_HOURS, inbox });
  }
}

/** All streams for an announcement of an earlier release, which names none. */
function streamsIn(payload: Uint8Array): readonly OutboxStream[] {
  const named = Buffer.from(payload).toString().split(',');
  const streams = OUTBOX_STREAMS.filter((stream) => named.includes(stream));
  return streams.length > 0 ? streams : OUTBOX_STREAMS;
}
