import { setTimeout as pause } from 'node:timers/promises';
import {
  AckPolicy,
  type Consumer as JsConsumer,
  type ConsumerConfig,
  type ConsumerInfo,
  type ConsumerMessages,
  DeliverPolicy,
} from '@nats-io/jetstream';
import type { Consumption } from '@signalbox/contracts';
import { consumerPending, type Logger, type OutboxStream, workLeaseMs } from '@signalbox/platform';
import { Delivery } from './consumed-messages.js';
import { DiscardedMessages } from './discarded-messages.js';
import type { EventApplication } from './event-application.js';
import { AUDIT_STREAM, type EventStream, isMissing, STREAM, streamOf } from './streams.js';

const MEASURE_MS = 10_000;
const RESTART_MS = 500;
const FETCH = { max_messages: 200, expires: 5000 };
/** Includes messages of all companies that wait in the stream for redelivery. */
const MAX_UNACKNOWLEDGED = 100_000;
/** How soon the wait for a batch notices a full fetch or the stop of the process. */
const BATCH_POLL_MS = 20;
const CHANGEABLE = ['ack_wait', 'max_deliver', 'max_ack_pending', 'filter_subject'] as const;

function configOf({ filter, durable }: Consumption, ackWaitMs: number) {
  return {
    durable_name: durable,
    filter_subject: filter,
    ack_policy: AckPolicy.Explicit,
    ack_wait: ackWaitMs * 1_000_000,
    max_deliver: -1,
    deliver_policy: DeliverPolicy.All,
    max_ack_pending: MAX_UNACKNOWLEDGED,
  } satisfies Partial<ConsumerConfig>;
}

export interface BatchingConsumption extends Consumption {
  batchWindowMs: number;
}

/** Extends the acknowledgement deadline of fetched messages until they are applied. */
export class ConsumerLoop {
  /** How long the messages of a killed process wait for another one. */
  private readonly ackWaitMs = workLeaseMs();
  private stopped = false;
  private fetching: ConsumerMessages | undefined;
  private readonly unfinished = new Set<Delivery>();
  private arrived: Delivery[] = [];
  private applying: Promise<void> | undefined;
  private lastApplied = -Infinity;
  private readonly discarded: DiscardedMessages;
  private readonly timers: NodeJS.Timeout[];
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly consumption: BatchingConsumption,
    private readonly stream: EventStream,
    private readonly application: EventApplication,
    private readonly logger: Logger,
  ) {
    this.discarded = new DiscardedMessages(consumption.durable, logger);
    this.timers = [
      setInterval(() => this.keepAlive(), this.ackWaitMs / 3),
      setInterval(() => void this.measure(), MEASURE_MS),
    ];
  }

  start(): void {
    this.running = this.run();
  }

  stopFetching(): void {
    this.stopped = true;
    this.timers.forEach(clearInterval);
    this.application.stop();
    // An idle fetch would delay the exit until it times out.
    this.fetching?.stop();
  }

  /** Waits for the transaction in progress and returns unapplied messages to the stream. */
  async stop(): Promise<void> {
    this.stopFetching();
    await this.running;
    await this.applying;
    for (const delivery of this.unfinished) if (!delivery.isOver) delivery.message.nak();
  }

  private get streamName(): OutboxStream {
    return streamOf(this.consumption.filter);
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      try {
        await this.ensure();
        await this.checkDiscarded();
        await this.drainLegacyConsumer();
        await this.consume(this.streamName, () => !this.stopped);
      } catch (error) {
        if (this.stopped) return;
        this.logger.warn({ error, consumer: this.consumption.durable }, 'consumer restarts');
        await pause(RESTART_MS);
      }
    }
  }

  /** The service of the audit log also updates the streams. */
  private async ensure(): Promise<void> {
    if (this.streamName === AUDIT_STREAM) await this.stream.update();
    await this.stream.ensure(this.streamName);
    const { consumers } = await this.stream.jsm();
    const wanted = configOf(this.consumption, this.ackWaitMs);
    const found = await this.info(this.streamName);
    if (!found) await consumers.add(this.streamName, wanted);
    else if (CHANGEABLE.some((field) => found.config[field] !== wanted[field]))
      await consumers.update(this.streamName, this.consumption.durable, wanted);
  }

  /** Before the first fetch: messages may have been discarded while no process of this consumer ran. */
  private async checkDiscarded(): Promise<void> {
    const info = await this.info(this.streamName);
    if (!info || this.streamName !== STREAM) return;
    this.discarded.begin(info);
    this.discarded.look(info, await this.stream.firstOf(STREAM));
  }

  /**
   * Older releases stored audit entries in the event stream: the remaining ones are applied, then that consumer is
   * deleted.
   */
  private async drainLegacyConsumer(): Promise<void> {
    if (this.streamName !== AUDIT_STREAM || !(await this.info(STREAM))) return;
    const { durable } = this.consumption;
    const isLeft = async (): Promise<boolean> => {
      const info = await this.info(STREAM);
      return !this.stopped && info !== null && info.num_pending + info.num_ack_pending > 0;
    };
    if (await isLeft()) await this.consume(STREAM, isLeft);
    if (this.stopped) return;
    const { consumers } = await this.stream.jsm();
    await consumers.delete(STREAM, durable);
    this.logger.info({ consumer: durable }, 'every audit entry of the event stream is applied');
  }

  private async info(stream: OutboxStream): Promise<ConsumerInfo | null> {
    const { consumers } = await this.stream.jsm();
    try {
      return await consumers.info(stream, this.consumption.durable);
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  private async consume(stream: OutboxStream, mayContinue: () => boolean | Promise<boolean>): Promise<void> {
    const { connection } = this.stream;
    const consumer = await this.stream.js.consumers.get(stream, this.consumption.durable);
    while (connection.isUp && (await mayContinue())) {
      if (this.application.isSuspended) await pause(RESTART_MS);
      else if (this.arrived.length >= FETCH.max_messages) await this.applying;
      // An empty fetch may also mean that the consumer was deleted.
      else if ((await this.fetch(consumer)) === 0 && !this.stopped) await consumer.info();
    }
    if (!connection.isUp) await pause(RESTART_MS);
  }

  /** Messages that arrive during a transaction share the next one. */
  private async fetch(consumer: JsConsumer): Promise<number> {
    const messages = await consumer.fetch(FETCH);
    this.fetching = messages;
    if (this.stopped) messages.stop();
    let seen = 0;
    for await (const message of messages) {
      seen++;
      const delivery = new Delivery(message, this.consumption.durable, this.consumption.fields);
      this.unfinished.add(delivery);
      this.arrived.push(delivery);
      this.applying ??= this.applyArrived();
      if (this.stopped) break;
    }
    return seen;
  }

  private async applyArrived(): Promise<void> {
    while (this.arrived.length > 0 && !this.stopped) {
      await this.waitForBatch();
      const batch = this.arrived.splice(0, FETCH.max_messages);
      await this.application.apply(batch).catch((error: unknown) => this.returnToStream(batch, error));
      for (const delivery of this.unfinished) if (delivery.isOver) this.unfinished.delete(delivery);
    }
    this.applying = undefined;
  }

  private async waitForBatch(): Promise<void> {
    // The messages of one packet are applied together.
    await new Promise<void>((resolve) => setImmediate(resolve));
    const due = this.lastApplied + this.consumption.batchWindowMs;
    while (performance.now() < due && this.arrived.length < FETCH.max_messages && !this.stopped)
      await pause(Math.min(BATCH_POLL_MS, due - performance.now()));
    this.lastApplied = performance.now();
  }

  /** After a fault of the application itself; otherwise they would be held for ever. */
  private returnToStream(batch: readonly Delivery[], error: unknown): void {
    this.logger.error({ error, consumer: this.consumption.durable }, 'messages return to their stream');
    for (const delivery of batch) {
      this.unfinished.delete(delivery);
      if (!delivery.isOver) delivery.message.nak();
    }
  }

  private keepAlive(): void {
    for (const delivery of this.unfinished) {
      if (delivery.isOver) this.unfinished.delete(delivery);
      else delivery.message.working();
    }
  }

  private async measure(): Promise<void> {
    const info = await this.info(this.streamName).catch(() => null);
    if (!info) return;
    consumerPending.set({ consumer: this.consumption.durable }, info.num_pending + info.num_ack_pending);
    if (this.streamName !== STREAM || info.num_pending === 0) return;
    const first = await this.stream.firstOf(STREAM).catch(() => null);
    if (first !== null) this.discarded.look(info, first);
  }
}
