// A process claims jobs by their kind, so the holder of the secrets of a run is a part of the kind: no other process claims
// its jobs, and a job that is added again by the kind stored with its run or hook keeps its holder.

/** The kind of jobs that only one holder claims. */
export const heldKind = (kind: string, holder: string): string => `${kind}@${holder}`;

/** The holder id in a kind of work, null when any process may claim it. */
export const holderOf = (workKind: string): string | null => workKind.split('@', 2)[1] ?? null;

/** SQL: whether a kind names a holder; the condition of the indexes of held work. */
export const isHeldSql = (kind: string): string => `${kind} LIKE '%@%'`;

/** SQL: the holder id in a kind as text, empty when any process may claim it. */
export const holderSql = (kind: string): string => `split_part(${kind}, '@', 2)`;

/** SQL: the kind of the same work for every process. */
export const sharedKindSql = (kind: string): string => `split_part(${kind}, '@', 1)`;
