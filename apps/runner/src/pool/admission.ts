/** How many executions of one depth may run at once in one process. */
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

/** An execution, or a compilation, that waits for a child process. */
export interface Waiting {
  company: number;
  /** How many executions wait for this one to end; `COMPILING` for a compilation. */
  depth: number;
}

/** The depth of compilations: they have separate slots, for scripts that run may take minutes. */
export const COMPILING = -1;

/** The limits of each depth. */
export type LimitsOf = (depth: number) => AdmissionLimits;

/**
 * The running executions, counted by depth and company. A script that waits for a nested one keeps its slot: because
 * each depth has separate slots, the nested ones find one however many scripts wait for them.
 */
export class RunningCounts {
  private readonly byDepth = new Map<number, Map<number, number>>();

  add({ company, depth }: Waiting): void {
    const counts = this.byDepth.get(depth) ?? new Map<number, number>();
    this.byDepth.set(depth, counts.set(company, (counts.get(company) ?? 0) + 1));
  }

  remove({ company, depth }: Waiting): void {
    const counts = this.byDepth.get(depth);
    const left = (counts?.get(company) ?? 1) - 1;
    if (left > 0) counts?.set(company, left);
    else counts?.delete(company);
  }

  /** The executions of one company at one depth. */
  of({ company, depth }: Waiting): number {
    return this.byDepth.get(depth)?.get(company) ?? 0;
  }

  /** The executions of all companies at one depth. */
  at(depth: number): number {
    return sum(this.byDepth.get(depth)?.values() ?? []);
  }

  get all(): number {
    return sum([...this.byDepth.keys()].map((depth) => this.at(depth)));
  }
}

const sum = (counts: Iterable<number>): number => [...counts].reduce((total, count) => total + count, 0);

/**
 * The waiting execution that starts next, as an index into `waiting`, which is in order of arrival; -1 when none may.
 * The company with the fewest running executions of its depth comes first, and within it the one that has waited
 * longest. One without a process holds up no other: `hasProcess` says which have one.
 */
export function nextToStart(
  waiting: readonly Waiting[],
  running: RunningCounts,
  limitsOf: LimitsOf,
  hasProcess: (index: number) => boolean = () => true,
): number {
  let next = -1;
  let fewest = Infinity;
  for (const [index, each] of waiting.entries()) {
    const own = running.of(each);
    const { total, perCompany, reserve } = limitsOf(each.depth);
    const limit = own === 0 ? total + reserve : total;
    if (own >= fewest || own >= perCompany || running.at(each.depth) >= limit || !hasProcess(index)) continue;
    [next, fewest] = [index, own];
  }
  return next;
}

/** How many of the waiting executions could start now if each had a process. */
export function startableNow(waiting: readonly Waiting[], running: RunningCounts, limits: LimitsOf): number {
  const left = [...waiting];
  const started: Waiting[] = [];
  for (let next = nextToStart(left, running, limits); next >= 0; next = nextToStart(left, running, limits)) {
    for (const each of left.splice(next, 1)) {
      running.add(each);
      started.push(each);
    }
  }
  for (const each of started) running.remove(each);
  return started.length;
}
