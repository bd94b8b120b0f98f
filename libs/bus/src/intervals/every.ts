import { decorateMethod } from '../decorated-methods.js';

/** Metadata key of methods that run at intervals. */
export const EVERY = 'signalbox:every';

/** Options that `@Every` stores about a method. */
export interface IntervalMetadata {
  everyMs: number;
  failed: string;
}

/** One run of an interval job; `stop` aborts when the process ends. */
type Pass = (stop: AbortSignal) => Promise<void> | void;

/**
 * Marks a method that runs when the process has started and then at an interval, in every process of the service. A
 * run that takes longer than the interval delays the next one. One that fails is logged with the sentence `failed`;
 * the next one repeats its work.
 */
export function Every(everyMs: number, failed: string) {
  const metadata: IntervalMetadata = { everyMs, failed };
  return <T extends Pass>(_target: object, _name: string, descriptor: TypedPropertyDescriptor<T>): void =>
    decorateMethod(EVERY, descriptor.value, metadata);
}
