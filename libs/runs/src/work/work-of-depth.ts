import { MAX_CHAIN_DEPTH } from '@signalbox/contracts';
import { heldKind, holderOf } from '../secrets/held-kind.js';

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
