import { markMethod } from '../marked-methods.js';

/** Metadata key of methods that run at intervals. */
export const EVERY = 'signalbox:every';

/** What `@Every` says of a method. */
export interface IntervalMark {
  everyMs: number;
  failed: string;
}

/** One pass of an interval job; `stop` aborts when the process ends. */
type Pass = (stop: AbortSignal) => Promise<void> | void;

/**
 * Marks a method that runs when the process has started and then at an interval, in every process of the service. A pass
 * that takes longer than the interval delays the next one. One that fails is logged with the sentence `failed`, and the
 * next one makes up for it.
 */
export function Every(everyMs: number, failed: string) {
  const mark: IntervalMark = { everyMs, failed };
  return <T extends Pass>(_target: object, _name: string, descriptor: TypedPropertyDescriptor<T>): void =>
    markMethod(EVERY, descriptor.value, mark);
}
