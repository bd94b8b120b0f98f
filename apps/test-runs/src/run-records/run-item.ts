import type { FailureClass, RunItemStatus } from '@signalbox/contracts';

/** How often an item is continued after its worker was killed. Deploys and services that are down are not counted. */
export const MAX_LOSSES = 20;

export interface EndedRepeat {
  repeat: number;
  status: 'COMPLETED' | 'FAILED';
  failure_class: FailureClass | null;
}

/**
 * The state of an item after its repeats. Chosen: one repeat in ERROR makes the item FAILED, because a verdict by
 * majority over fewer repeats than asked for would look as sure as one over all of them; a reset executes only the
 * repeats in ERROR again.
 */
export function stateAfter(ended: readonly EndedRepeat[], repeats: number): RunItemStatus {
  if (ended.length < repeats) return 'RUNNING';
  return ended.some(({ status }) => status === 'FAILED') ? 'FAILED' : 'COMPLETED';
}

/** The first repeat without a result, null when all have one. */
export function nextRepeat(ended: readonly Pick<EndedRepeat, 'repeat'>[], repeats: number): number | null {
  const done = new Set(ended.map(({ repeat }) => repeat));
  for (let repeat = 1; repeat <= repeats; repeat++) if (!done.has(repeat)) return repeat;
  return null;
}
