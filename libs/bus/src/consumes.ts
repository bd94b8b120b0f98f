import { AckPolicy, DeliverPolicy, type ConsumerMessages, type JsMsg } from '@nats-io/jetstream';
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type BeforeApplicationShutdown,
  Optional,
} from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { consumed, INBOX, type InboxMessage, type InboxStore, LOGGER, type Logger } from '@signalbox/platform';
import { BusConnection } from './connection.js';
import { EventStream, STREAM } from './streams.js';

interface Consumption {
  /** Subject filter on the stream, such as `audit.*` or `events.*.agent_task.completed`. */
  filter: string;
  /** Durable name; two consumers of one service never share one. */
  durable: string;
}

const CONSUMES = 'signalbox:consumes';

/** What a consuming method gets: the message and the transaction in which its effect and the inbox row commit. */
export type Consumer<Tx, T> = (payload: T, tx: Tx, message: InboxMessage) => Promise<void>;

/**
 * Marks a method as the consumer of a part of the event stream. It runs inside the transaction that records the message
 * as consumed, so its effect on the schema is applied once however often the message is delivered.
 */
export function Consumes(filter: string, durable: string) {
  return <Tx, T>(target: object, name: string, descriptor: TypedPropertyDescriptor<Consumer<Tx, T>>): void => {
    Reflect.defineMetadata(CONSUMES, { filter, durable } satisfies Consumption, descriptor.value as object);
    void target;
    void name;
  };
}

const MAX_DELIVERIES = 5;
const BACKOFF_MS: readonly number[] = [1000, 5000, 15_000, 30_000];
/** Nest token of the pauses between the deliveries of a message that could not be consumed, in ms. */
export const CONSUMER_BACKOFF = Symbol('consumer backoff');
const ACK_WAIT_MS = 30_000;
const PROGRESS_MS = 10_000;
const FETCH = { max_messages: 50, expires: 5000 };

/** Runs every method marked with `@Consumes` on its durable consumer. */
@Injectable()
export class ConsumerRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private stopped = false;
  private loops: Promise<void>[] = [];
  private readonly fetching = new Set<ConsumerMessages>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
    private readonly stream: EventStream,
    private readonly connection: BusConnection,
    @Inject(LOGGER) private readonly logger: Logger,
    @Optional() @Inject(INBOX) private readonly inbox?: InboxStore,
    @Optional() @Inject(CONSUMER_BACKOFF) private readonly backoffMs: readonly number[] = BACKOFF_MS,
  ) {}

  onApplicationBootstrap(): void {
    this.connection.stopping.addEventListener('abort', () => this.takeNoMore(), { once: true });
    for (const { instance } of this.discovery.getProviders().concat(this.discovery.getControllers())) {
      if (typeof instance !== 'object' || instance === null) continue;
      const prototype = Object.getPrototypeOf(instance) as Record<string, (...args: unknown[]) => Promise<void>>;
      for (const name of this.scanner.getAllMethodNames(prototype)) {
        const method = prototype[name];
        const consumption = method && this.reflector.get<Consumption | undefined>(CONSUMES, method);
        if (consumption) this.loops.push(this.loop(consumption, method.bind(instance)));
      }
    }
  }

  /** Before the connections of the process are closed: what is being consumed still needs them. */
  async beforeApplicationShutdown(): Promise<void> {
    this.takeNoMore();
    await Promise.all(this.loops);
  }

  private takeNoMore(): void {
    this.stopped = true;
    // An idle fetch would otherwise hold the process until it runs out.
    for (const batch of this.fetching) batch.stop();
  }

  private async loop(consumption: Consumption, effect: Consumer<unknown, unknown>): Promise<void> {
    while (!this.stopped) {
      try {
        await this.ensureConsumer(consumption);
        await this.consume(consumption, effect);
      } catch (error) {
        if (this.stopped) return;
        this.logger.warn({ error, consumer: consumption.durable }, 'consumer starts again');
        await pause(500);
      }
    }
  }

  private async ensureConsumer({ filter, durable }: Consumption): Promise<void> {
    await this.stream.ensure();
    const { consumers } = await this.stream.jsm();
    await consumers.add(STREAM, {
      durable_name: durable,
      filter_subject: filter,
      ack_policy: AckPolicy.Explicit,
      ack_wait: ACK_WAIT_MS * 1_000_000,
      max_deliver: -1,
      deliver_policy: DeliverPolicy.All,
      max_ack_pending: 500,
    });
  }

  private async consume({ durable }: Consumption, effect: Consumer<unknown, unknown>): Promise<void> {
    const consumer = await this.stream.js.consumers.get(STREAM, durable);
    while (!this.stopped && this.connection.isUp) {
      const seen = await this.drain(await consumer.fetch(FETCH), (message) => this.take(durable, message, effect));
      // An empty fetch is also what a vanished consumer looks like: ask before fetching again.
      if (seen === 0 && !this.stopped) await consumer.info();
    }
    if (!this.connection.isUp) await pause(250);
  }

  private async drain(batch: ConsumerMessages, take: (message: JsMsg) => Promise<void>): Promise<number> {
    this.fetching.add(batch);
    if (this.stopped) batch.stop();
    let seen = 0;
    try {
      for await (const message of batch) {
        seen++;
        await take(message);
        if (this.stopped) break;
      }
    } finally {
      this.fetching.delete(batch);
    }
    return seen;
  }

  private async take(durable: string, message: JsMsg, effect: Consumer<unknown, unknown>): Promise<void> {
    const inbox = this.inbox;
    if (!inbox) throw new Error('a service that consumes needs an inbox');
    const progress = setInterval(() => message.working(), PROGRESS_MS);
    try {
      for (const { about, payload, text } of partsOf(durable, message)) {
        const error = await this.effected(inbox, about, payload, effect);
        if (error === undefined) continue;
        if (message.info.deliveryCount < MAX_DELIVERIES) return this.again(durable, message);
        await this.buried(inbox, about, text, error);
      }
      message.ack();
    } catch (error) {
      this.logger.warn({ error, consumer: durable }, 'message could not be consumed');
      this.again(durable, message);
    } finally {
      clearInterval(progress);
    }
  }

  /** Runs the effect once; answers what it threw. */
  private async effected(
    inbox: InboxStore,
    about: InboxMessage,
    payload: unknown,
    effect: Consumer<unknown, unknown>,
  ): Promise<unknown> {
    try {
      if (!Number.isInteger(about.companyId) || about.companyId < 1) throw new Error('the subject names no company');
      if (payload instanceof Error) throw payload;
      const ran = await inbox.once(about, (tx) => effect(payload, tx, about));
      consumed.inc({ consumer: about.consumer, outcome: ran ? 'done' : 'seen' });
      return undefined;
    } catch (error) {
      return error ?? new Error('a consumer failed');
    }
  }

  /** Later deliveries come with growing pauses. */
  private again(durable: string, message: JsMsg): void {
    consumed.inc({ consumer: durable, outcome: 'retry' });
    message.nak(this.backoffMs[message.info.deliveryCount - 1] ?? ACK_WAIT_MS);
  }

  /** The last failure buries the message instead of trusting an advisory; those that came with it are still consumed. */
  private async buried(inbox: InboxStore, about: InboxMessage, text: string, error: unknown): Promise<void> {
    this.logger.error({ error, ...about }, 'message buried');
    consumed.inc({ consumer: about.consumer, outcome: 'buried' });
    await inbox.bury(about, text, error instanceof Error ? error.message : String(error));
  }
}

interface Part {
  about: InboxMessage;
  payload: unknown;
  text: string;
}

/** What a message carries: as a rule one thing, or several events that were written together. */
function partsOf(durable: string, message: JsMsg): Part[] {
  const text = message.string();
  const { subject } = message;
  const about: InboxMessage = {
    consumer: durable,
    messageId: message.headers?.get('Nats-Msg-Id') || `${STREAM}:${message.seq}`,
    companyId: Number(subject.split('.')[1]),
    subject,
  };
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch (error) {
    payload = error;
  }
  if (!Array.isArray(payload)) return [{ about, payload, text }];
  return (payload as { event_id: string }[]).map((event) => ({
    about: { ...about, messageId: event.event_id },
    payload: event,
    text: JSON.stringify(event),
  }));
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
