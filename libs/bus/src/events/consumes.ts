import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleInit,
  type BeforeApplicationShutdown,
  Optional,
} from '@nestjs/common';
import { type Consumption, consumptionFault } from '@signalbox/contracts';
import { INBOX, type InboxMessage, type InboxStore, LOGGER, type Logger } from '@signalbox/platform';
import { ConsumerLoop } from './consumer-loop.js';
import { type Effect, EventApplication, type Preparation } from './event-application.js';
import { MarkedMethods, type MarkedMethod, markMethod } from '../marked-methods.js';
import type { Selector } from './message-selection.js';
import { EventStream } from './streams.js';

const CONSUMES = 'signalbox:consumes';
const SELECTS = 'signalbox:selects';
const PREPARES = 'signalbox:prepares';

/** Names the consumer that a method selects or prepares for. */
interface DurableMark {
  durable: string;
}

interface ConsumerMark extends BatchOptions {
  consumption: Consumption;
  inBatches: boolean;
}

/** Options of a method that consumes in batches. */
export interface BatchOptions {
  /**
   * False for an effect that drops repeats itself, because a unique key of the rows it writes contains the event. The inbox
   * row of each event is then saved, which is most of the work of an effect that ignores most events. Default true.
   */
  recorded?: boolean;
  /**
   * The least time between two applications: messages that arrive meanwhile are applied together. An effect costs less
   * per event in larger batches, and an event waits for at most so long. Default 0.
   */
  gatherMs?: number;
}

/** Input of a consuming method: the message and the transaction in which its effect and the inbox row commit. */
export type Consumer<Tx, T> = (payload: T, tx: Tx, message: InboxMessage) => Promise<void>;

/** One event for a method that consumes in batches. */
export interface Consumed<T> {
  payload: T;
  about: InboxMessage;
}

/**
 * Input of a method that consumes in batches: events of one company in their order, their transaction, and the result
 * of the preparation, if the consumer has one and the event is no replayed dead letter.
 */
export type BatchConsumer<Tx, T, P> = (events: Consumed<T>[], tx: Tx, prepared?: P) => Promise<void>;

/** Input of a method that prepares an effect: the events, of which some may have been consumed before. */
export type Preparer<T, P> = (events: Consumed<T>[]) => Promise<P>;

type Marks<Method> = <T extends Method>(target: object, name: string, descriptor: TypedPropertyDescriptor<T>) => void;

/**
 * Marks a method as a declared consumer. It runs inside the transaction that records the message as consumed, so its
 * effect on the schema is applied once however often the message is delivered. Several messages may share a
 * transaction; an effect that throws is retried alone.
 */
export function Consumes<Payload>(consumption: Consumption<Payload>): Marks<Consumer<never, Payload>> {
  return mark(consumption, false);
}

/** The same for a method that receives all messages of a transaction at once. */
export function ConsumesBatches<Payload>(
  consumption: Consumption<Payload>,
  options: BatchOptions = {},
): Marks<BatchConsumer<never, Payload, never>> {
  return mark(consumption, true, options);
}

function mark<Method>(consumption: Consumption, inBatches: boolean, options: BatchOptions = {}): Marks<Method> {
  const mark: ConsumerMark = { ...options, consumption, inBatches };
  return (_target, _name, descriptor) => markMethod(CONSUMES, descriptor.value, mark);
}

/**
 * Marks the method that selects the messages of a consumer of the same process. Those it leaves out cost an
 * acknowledgement: they are not parsed, and no transaction records them.
 */
export function Selects(consumption: Consumption): Marks<Selector> {
  const mark: DurableMark = { durable: consumption.durable };
  return (_target, _name, descriptor) => markMethod(SELECTS, descriptor.value, mark);
}

/**
 * Marks the method that prepares the effect of a consumer in batches of the same process, before each attempt and
 * outside of its transaction: the place for calls to other services, during which no transaction may be open.
 */
export function Prepares<Payload>(consumption: Consumption<Payload>): Marks<Preparer<Payload, unknown>> {
  const mark: DurableMark = { durable: consumption.durable };
  return (_target, _name, descriptor) => markMethod(PREPARES, descriptor.value, mark);
}

const BACKOFF_MS: readonly number[] = [1000, 5000, 15_000, 30_000];
/** Nest token of the pauses between the tries of an event that could not be consumed, in ms. */
export const CONSUMER_BACKOFF = Symbol('consumer backoff');

/** Runs every method marked with `@Consumes` or `@ConsumesBatches` on its durable consumer. */
@Injectable()
export class ConsumerRunner implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loops: ConsumerLoop[] = [];
  private marked: MarkedMethod<ConsumerMark>[] = [];
  private readonly effects = new Map<string, Effect>();
  private selectors = new Map<string, Selector>();
  private preparers = new Map<string, Preparation>();

  constructor(
    private readonly methods: MarkedMethods,
    private readonly stream: EventStream,
    @Inject(LOGGER) private readonly logger: Logger,
    @Optional() @Inject(INBOX) private readonly inbox?: InboxStore,
    @Optional() @Inject(CONSUMER_BACKOFF) private readonly backoffMs: readonly number[] = BACKOFF_MS,
  ) {}

  /** Refuses to start with a consumer whose event has no publisher, or that the bus would not permit. */
  onModuleInit(): void {
    this.marked = this.methods.of<ConsumerMark>(CONSUMES);
    this.selectors = this.byConsumer<Selector>(SELECTS);
    this.preparers = this.byConsumer<Preparation>(PREPARES);
    requireConsumers(
      this.marked.map(({ mark }) => mark.consumption.durable),
      [...this.selectors.keys(), ...this.preparers.keys()],
    );
    const faults = this.marked.map(({ mark }) => consumptionFault(this.stream.connection.name, mark.consumption));
    const fault = faults.find((each) => each !== null);
    if (fault !== undefined) throw new Error(fault);
  }

  onApplicationBootstrap(): void {
    const { stopping } = this.stream.connection;
    stopping.addEventListener('abort', () => this.loops.forEach((loop) => loop.stopFetching()), { once: true });
    for (const { mark, run } of this.marked) this.start(mark, run);
  }

  /** Runs before the connections of the process are closed: the events being applied still need them. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }

  /** The effect of a consumer of this service, null when none has that name. */
  effectOf(durable: string): Effect | null {
    return this.effects.get(durable) ?? null;
  }

  private byConsumer<Method>(key: string): Map<string, Method> {
    return new Map(this.methods.of<DurableMark>(key).map(({ mark, run }) => [mark.durable, run as Method]));
  }

  private start(
    { consumption, inBatches, recorded = true, gatherMs = 0 }: ConsumerMark,
    method: MarkedMethod<ConsumerMark>['run'],
  ): void {
    if (!this.inbox) throw new Error('a service that consumes needs an inbox');
    const effect: Effect = inBatches
      ? (events, tx, _begins, prepared) => method(events, tx, prepared)
      : async (events, tx, begins) => {
          for (const { payload, about } of events) {
            begins(about);
            await method(payload, tx, about);
          }
        };
    const { durable } = consumption;
    this.effects.set(durable, effect);
    const options = {
      consumer: durable,
      backoffMs: this.backoffMs,
      recorded,
      selects: this.selectors.get(durable),
      prepares: this.preparers.get(durable),
    };
    const application = new EventApplication(this.inbox, effect, options, this.logger);
    const loop = new ConsumerLoop({ ...consumption, gatherMs }, this.stream, application, this.logger);
    this.loops.push(loop);
    loop.start();
  }
}

/** Each durable has one method that consumes, and every method that selects or prepares has such a durable. */
function requireConsumers(durables: string[], used: string[]): void {
  const twice = durables.find((durable, at) => durables.indexOf(durable) !== at);
  if (twice !== undefined) throw new Error(`consumer ${twice} has two methods`);
  const unknown = used.find((durable) => !durables.includes(durable));
  if (unknown !== undefined)
    throw new Error(`consumer ${unknown}, which a method selects or prepares for, consumes nothing`);
}
