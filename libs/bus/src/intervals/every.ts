import { decorateMethod } from '../decorated-methods.js';

export const EVERY = 'signalbox:every';

export interface IntervalMetadata {
  everyMs: number;
  failed: string;
}

type Pass = (stop: AbortSignal) => Promise<void> | void;

/**
 * Runs a method at the start and then at an interval, in every process of the service. A run longer than the interval
 * delays the next one. A failure is logged with the sentence `failed`; the next run, after ten minutes at the latest,
 * repeats the work.
 */
export function Every(everyMs: number, failed: string) {
  const metadata: IntervalMetadata = { everyMs, failed };
  return <T extends Pass>(_target: object, _name: string, descriptor: TypedPropertyDescriptor<T>): void =>
    decorateMethod(EVERY, descriptor.value, metadata);
}
