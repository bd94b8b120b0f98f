import type { Consumption } from '@signalbox/contracts';
import type { InboxMessage } from '@signalbox/platform';
import { decorateMethod } from '../decorated-methods.js';
import type { MessageSelector } from './message-selection.js';

/** Metadata key of methods that consume events. */
export const CONSUMER = 'signalbox:consumer';

/** One event for a method that consumes in batches. */
export interface Consumed<T> {
  payload: T;
  about: InboxMessage;
}

/** Options of every consumer. `Filter` is the name of a method of the same class. */
export interface ConsumerOptions<Filter extends string = never> {
  /**
   * The method that selects the messages that may have an effect. Those it leaves out cost an acknowledgement: they are
   * not parsed, and no transaction records them.
   */
  filter?: Filter;
  /**
   * False for an effect that drops repeats itself, because a unique key of the rows it writes contains the event. The inbox
   * row of each event is then saved, which is most of the work of an effect that ignores most events. Default true.
   */
  deduplicate?: boolean;
}

/** Options of a consumer that receives all events of a transaction at once. */
export interface BatchConsumerOptions<
  Filter extends string = never,
  Before extends string = never,
> extends ConsumerOptions<Filter> {
  batch: true;
  /**
   * The method that prepares the effect, before each attempt and outside of its transaction: the place for calls to other
   * services, during which no transaction may be open.
   */
  before?: Before;
  /**
   * The least time between two applications, in ms: messages that arrive meanwhile are applied together. An effect costs
   * less per event in larger batches, and an event waits for at most so long. Default 0.
   */
  batchWindowMs?: number;
}

/** What `@Consumer` stores about a method. */
export interface ConsumerMetadata {
  consumption: Consumption;
  batch?: boolean;
  filter?: string;
  before?: string;
  deduplicate?: boolean;
  batchWindowMs?: number;
}

/** The message and the transaction in which its effect and the inbox row commit. */
type ConsumerMethod<T> = (payload: T, tx: never, message: InboxMessage) => Promise<void>;

/**
 * Events of one company in their order, their transaction, and the result of the preparation, if there is one and the
 * event is no replayed dead letter.
 */
type BatchConsumerMethod<T> = (events: Consumed<T>[], tx: never, prepared?: never) => Promise<void>;

type FilterMethod<Name extends string> = Record<Name, MessageSelector>;
/** Some of the events may have been consumed before. */
type BeforeMethod<T, Name extends string> = Record<Name, (events: Consumed<T>[]) => Promise<unknown>>;

type Decorator<Target, Method> = <T extends Method>(
  target: Target,
  name: string,
  descriptor: TypedPropertyDescriptor<T>,
) => void;

/**
 * Makes a method the consumer of a declared event. It runs inside the transaction that records the message as consumed,
 * so its effect on the schema is applied once however often the message is delivered. Several messages may share a
 * transaction; an effect that throws is retried alone. With `batch` the method receives all messages of a transaction.
 */
export function Consumer<T, Filter extends string = never, Before extends string = never>(
  consumption: Consumption<T>,
  options: BatchConsumerOptions<Filter, Before>,
): Decorator<FilterMethod<NoInfer<Filter>> & BeforeMethod<T, NoInfer<Before>>, BatchConsumerMethod<T>>;
export function Consumer<T, Filter extends string = never>(
  consumption: Consumption<T>,
  options?: ConsumerOptions<Filter>,
): Decorator<FilterMethod<NoInfer<Filter>>, ConsumerMethod<T>>;
export function Consumer(
  consumption: Consumption,
  options: Omit<ConsumerMetadata, 'consumption'> = {},
): Decorator<object, never> {
  const metadata: ConsumerMetadata = { ...options, consumption };
  return (_target, _name, descriptor) => decorateMethod(CONSUMER, descriptor.value, metadata);
}
