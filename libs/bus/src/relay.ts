import { Inject, Injectable, type OnApplicationBootstrap, type BeforeApplicationShutdown } from '@nestjs/common';
import { LOGGER, type Logger, OUTBOX, type OutboxMessage, outboxPending, type OutboxStore } from '@signalbox/platform';
import { outboxSubject } from './commit-news.js';
import { BusConnection } from './connection.js';
import { EventStream } from './streams.js';

const BATCH = 200;
const POLL_MS = 1000;
const KEEP_SENT_HOURS = 24;
const PRUNE_EVERY_MS = 3_600_000;

/**
 * Moves messages from the outbox to the stream, in order of their ids, at least once. When the stream turns out to be
 * a new one, what was sent in the last 24 hours is sent again; the consumers' inboxes drop what they have seen.
 */
@Injectable()
export class OutboxRelay implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private running: Promise<void> = Promise.resolve();
  private wanted = false;
  private busy = false;
  private stopped = false;
  private checked = false;
  private timers: NodeJS.Timeout[] = [];
  private unlisten: () => void = () => undefined;

  constructor(
    @Inject(OUTBOX) private readonly outbox: OutboxStore,
    private readonly stream: EventStream,
    private readonly connection: BusConnection,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.outbox.onAdded(() => this.wake());
    this.unlisten = this.connection.listen(outboxSubject(this.connection.name), () => this.wake());
    this.connection.onReconnect(() => {
      this.checked = false;
      this.wake();
    });
    this.timers = [
      setInterval(() => this.wake(), POLL_MS),
      setInterval(() => void this.outbox.prune(KEEP_SENT_HOURS).catch(() => undefined), PRUNE_EVERY_MS),
    ];
    this.wake();
  }

  /** Before the pools are closed; what is added after this is sent by another process or the next start. */
  async beforeApplicationShutdown(): Promise<void> {
    this.timers.forEach(clearInterval);
    this.unlisten();
    this.stopped = true;
    await this.running;
  }

  private wake(): void {
    this.wanted = true;
    if (this.busy || this.stopped) return;
    this.busy = true;
    this.running = this.drain().finally(() => (this.busy = false));
  }

  private async drain(): Promise<void> {
    try {
      while (this.wanted && !this.stopped && this.connection.isUp) {
        this.wanted = false;
        await this.noticeNewStream();
        const sent = await this.outbox.relay(BATCH, (messages) => this.publish(messages));
        outboxPending.set(sent);
        if (sent === BATCH) this.wanted = true;
      }
    } catch (error) {
      // The rows stay unsent; the next poll tries again.
      this.checked = false;
      this.logger.warn({ error }, 'the outbox could not be relayed');
    }
  }

  private async noticeNewStream(): Promise<void> {
    if (this.checked) return;
    const birth = await this.stream.ensure();
    const known = await this.outbox.streamBirth();
    if (known !== null && known !== birth) {
      this.logger.warn('the bus has lost its store: sending again what it was given in the last day');
      await this.outbox.resend(KEEP_SENT_HOURS);
    }
    if (known !== birth) await this.outbox.setStreamBirth(birth);
    this.checked = true;
  }

  private async publish(messages: OutboxMessage[]): Promise<void> {
    await Promise.all(
      messages.map(({ id, subject, payload }) =>
        this.stream.js.publish(subject, payload, { msgID: id, timeout: 5000 }),
      ),
    );
  }
}
