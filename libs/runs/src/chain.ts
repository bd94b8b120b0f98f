import { ApiError, type Chain, MAX_CHAIN_DEPTH } from '@signalbox/contracts';
import { heldKind, holderOf } from './secrets/held-kind.js';

export interface ChainPosition {
  id: string;
  root_id: string | null;
  depth: number;
  /** Epoch ms at which the run has to end because of its caller; null without a limit. */
  ends_by: number | null;
}

/** What a run passes on to its calls: their latest end in epoch ms, and their budget in US dollars. */
export interface ChainRest {
  until: number | null;
  budget: number | null;
}

export const chainBelow = ({ id, root_id, depth, ends_by }: ChainPosition, { until, budget }: ChainRest): Chain => ({
  root: root_id ?? id,
  parent: id,
  depth: depth + 1,
  until: earliest(until, ends_by),
  budget,
});

export const chainColumns = (chain: Chain | undefined) => ({
  root_id: chain?.root ?? null,
  called_by: chain?.parent ?? null,
  depth: chain?.depth ?? 0,
  ends_by: chain?.until ?? null,
});

export const TOO_DEEP = `tasks and runs are nested at most ${MAX_CHAIN_DEPTH} deep`;

/** 422 with the code `depth_exceeded`. */
export function requireDepth(chain: Chain | undefined): void {
  if (chain && chain.depth > MAX_CHAIN_DEPTH) throw depthExceeded();
}

export const depthExceeded = (): ApiError =>
  new ApiError('refused', TOO_DEEP, {
    code: 'depth_exceeded',
    failureClass: 'quality',
    details: [{ field: 'depth_exceeded', message: TOO_DEEP }],
  });

export const earliest = (...times: (number | null)[]): number | null => {
  const set = times.filter((time): time is number => time !== null);
  return set.length > 0 ? Math.min(...set) : null;
};

/**
 * The kind of jobs of a run by its depth. Each depth has separate loops and slots: a run that waits for its child keeps
 * its slot, and the child needs one of another depth.
 */
export const workOfDepth = (work: string, depth: number): string => (depth === 0 ? work : `${work}:${depth}`);

export const worksByDepth = (work: string): string[] =>
  Array.from({ length: MAX_CHAIN_DEPTH + 1 }, (_, depth) => workOfDepth(work, depth));

/** Claimed by the process that holds the secrets of the parent, if there are any. */
export function workOfChild(work: string, depth: number, parentWork: string): string {
  const holder = holderOf(parentWork);
  return holder === null ? workOfDepth(work, depth) : heldKind(workOfDepth(work, depth), holder);
}
