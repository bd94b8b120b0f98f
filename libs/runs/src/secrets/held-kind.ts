// A process claims jobs by kind, so the holder of the secrets of a run is part of the kind: no other process claims its
// jobs, and a job that is added again by the kind stored with its run or hook keeps its holder.

export const heldKind = (kind: string, holder: string): string => `${kind}@${holder}`;

/** Null when any process may claim it. */
export const holderOf = (workKind: string): string | null => workKind.split('@', 2)[1] ?? null;

export const isHeldSql = (kind: string): string => `${kind} LIKE '%@%'`;

/** SQL; empty when any process may claim it. */
export const holderSql = (kind: string): string => `split_part(${kind}, '@', 2)`;

export const sharedKindSql = (kind: string): string => `split_part(${kind}, '@', 1)`;
