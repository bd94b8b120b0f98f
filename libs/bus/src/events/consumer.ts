import type { Consumption } from '@signalbox/contracts';
import type { InboxMessage } from '@signalbox/platform';
import { decorateMethod } from '../decorated-methods.js';
import type { MessageSelector } from './message-selection.js';

export const CONSUMER = 'signalbox:consumer';

export interface Consumed<T> {
  payload: T;
  about: InboxMessage;
}

/** `Filter` is the name of a method of the same class. */
export interface ConsumerOptions<Filter extends string = never> {
  /**
   * Selects the messages that may have an effect. The others cost an acknowledgement: they are not parsed, and no
   * transaction records them.
   */
  filter?: Filter;
  /**
   * False when the effect drops repeats itself, because a unique key of its rows contains the event. That saves the
   * inbox row, which is most of the work of an effect that ignores most events. Default true.
   */
  deduplicate?: boolean;
}

export interface BatchConsumerOptions<
  Filter extends string = never,
  Before extends string = never,
> extends ConsumerOptions<Filter> {
  batch: true;
  /**
   * Prepares the effect before each attempt, outside its transaction: the place for calls to other services, during
   * which no transaction may be open.
   */
  before?: Before;
  /**
   * Minimum ms between two applications; messages that arrive meanwhile are applied together. Larger batches cost less
   * per event, and an event waits for at most so long. Default 0.
   */
  batchWindowMs?: number;
}

export interface ConsumerMetadata {
  consumption: Consumption;
  batch?: boolean;
  filter?: string;
  before?: string;
  deduplicate?: boolean;
  batchWindowMs?: number;
}

type ConsumerMethod<T> = (payload: T, tx: never, message: InboxMessage) => Promise<void>;

/** Events of one company in order; `prepared` is missing without a preparation, and for a replayed dead letter. */
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
 * Makes a method the consumer of a declared event. It runs in the transaction that records the message as consumed, so
 * its effect on the schema is applied once however often the message is delivered. Messages may share a transaction; an
 * effect that throws is retried alone. With `batch` the method receives all messages of a transaction.
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
