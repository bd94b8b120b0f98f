import type { FailureClass, RunItemStatus } from '@signalbox/contracts';

/** Losses after which an item is not continued; deploys and services that are down do not count. */
export const MAX_LOSSES = 20;

export interface EndedRepeat {
  repeat: number;
  status: 'COMPLETED' | 'FAILED';
  failure_class: FailureClass | null;
}

/**
 * One repeat in ERROR makes the item FAILED, because a majority over fewer repeats than asked for would look as sure as
 * one over all of them; a reset executes only the repeats in ERROR again.
 */
export function stateAfter(ended: readonly EndedRepeat[], repeats: number): RunItemStatus {
  if (ended.length < repeats) return 'RUNNING';
  return ended.some(({ status }) => status === 'FAILED') ? 'FAILED' : 'COMPLETED';
}

/** Null when all repeats have a result. */
export function nextRepeat(ended: readonly Pick<EndedRepeat, 'repeat'>[], repeats: number): number | null {
  const done = new Set(ended.map(({ repeat }) => repeat));
  for (let repeat = 1; repeat <= repeats; repeat++) if (!done.has(repeat)) return repeat;
  return null;
}
