/** How many executions may run at once in one process. */
export interface AdmissionLimits {
  /** All companies together. */
  total: number;
  /** One company; at least 1. */
  perCompany: number;
  /**
   * Further executions, only for companies that have none running: however many slots others fill with scripts that
   * never end, the script of another company starts at once.
   */
  reserve: number;
}

/** An execution that waits for a child process. */
export interface Waiting {
  company: number;
}

/**
 * The waiting execution that starts next, as an index into `waiting`, which is in order of arrival; -1 when none may.
 * The company with the fewest running executions comes first, and within it the one that has waited longest.
 */
export function nextToStart(
  waiting: readonly Waiting[],
  running: ReadonlyMap<number, number>,
  { total, perCompany, reserve }: AdmissionLimits,
): number {
  const all = [...running.values()].reduce((sum, count) => sum + count, 0);
  let next = -1;
  let fewest = Infinity;
  for (const [index, { company }] of waiting.entries()) {
    const own = running.get(company) ?? 0;
    const limit = own === 0 ? total + reserve : total;
    if (own >= fewest || own >= perCompany || all >= limit) continue;
    [next, fewest] = [index, own];
  }
  return next;
}
