import { ApiError, type Chain, MAX_CHAIN_DEPTH } from '@signalbox/contracts';
import { heldKind, holderOf } from './secrets/held-kind.js';

export interface ChainPosition {
  id: string;
  /** Id of the task or run at the top; null for the top itself. */
  root_id: string | null;
  depth: number;
  /** Epoch milliseconds at which the run has to end because of what has called it; null without a limit. */
  ends_by: number | null;
}

/** What a run passes on to what it calls: until when that has to end, and the US dollars it may cost. */
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

/** The columns of a run by the chain that has called it; those of a root without one. */
export const chainColumns = (chain: Chain | undefined) => ({
  root_id: chain?.root ?? null,
  called_by: chain?.parent ?? null,
  depth: chain?.depth ?? 0,
  ends_by: chain?.until ?? null,
});

/** Why a run is not started, or ends. */
export const TOO_DEEP = `tasks and runs are nested at most ${MAX_CHAIN_DEPTH} deep`;

/** Refuses a call below the greatest depth: 422 with the code `depth_exceeded`. */
export function requireDepth(chain: Chain | undefined): void {
  if (chain && chain.depth > MAX_CHAIN_DEPTH) throw depthExceeded();
}

/** The refusal of a call that is nested too deep. */
export const depthExceeded = (): ApiError =>
  new ApiError('refused', TOO_DEEP, {
    code: 'depth_exceeded',
    failureClass: 'quality',
    details: [{ field: 'depth_exceeded', message: TOO_DEEP }],
  });

/** The earlier of two times; null means none. */
export const earliest = (...times: (number | null)[]): number | null => {
  const set = times.filter((time): time is number => time !== null);
  return set.length > 0 ? Math.min(...set) : null;
};

/**
 * The kind of the work of a run at a depth of its chain. Each depth is claimed by a separate loop, with separate slots:
 * a run that waits for what it has called keeps its slot, and what it has called needs one of another depth.
 */
export const workOfDepth = (work: string, depth: number): string => (depth === 0 ? work : `${work}:${depth}`);

/** The kinds of the work of a kind of run, by depth. */
export const worksByDepth = (work: string): string[] =>
  Array.from({ length: MAX_CHAIN_DEPTH + 1 }, (_, depth) => workOfDepth(work, depth));

/** The kind of the work of a child run, claimed by the process that holds the secrets of its parent, if there are any. */
export function workOfChild(work: string, depth: number, parentWork: string): string {
  const holder = holderOf(parentWork);
  return holder === null ? workOfDepth(work, depth) : heldKind(workOfDepth(work, depth), holder);
}
