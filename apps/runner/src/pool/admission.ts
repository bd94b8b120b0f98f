/** Maximum executions of one depth in one process. */
export interface AdmissionLimits {
  total: number;
  /** At least 1. */
  perCompany: number;
  /**
   * Further slots, only for companies that have none running: their scripts start at once even while other companies
   * fill all slots with scripts that never end.
   */
  reserve: number;
}

export interface QueuedExecution {
  company: number;
  /** Number of executions that wait for this one, or `COMPILING`. */
  depth: number;
}

/** Compilations have their own slots, because scripts may run for minutes. */
export const COMPILING = -1;

export interface Needs extends QueuedExecution {
  /** The most memory that the process may use. */
  memoryMb: number;
  /** Bytes of script and argument, held while it waits. */
  bytes: number;
}

export type LimitsOf = (depth: number) => AdmissionLimits;

/**
 * Amounts by depth and company. A script that waits for a nested one keeps its slot; because each depth has its own
 * slots, nested ones find one however many scripts wait for them.
 */
export class RunningCounts {
  private readonly byDepth = new Map<number, Map<number, number>>();

  add({ company, depth }: QueuedExecution, amount = 1): void {
    const counts = this.byDepth.get(depth) ?? new Map<number, number>();
    this.byDepth.set(depth, counts.set(company, (counts.get(company) ?? 0) + amount));
  }

  remove({ company, depth }: QueuedExecution, amount = 1): void {
    const counts = this.byDepth.get(depth);
    const left = (counts?.get(company) ?? amount) - amount;
    if (left > 0) counts?.set(company, left);
    else counts?.delete(company);
  }

  of({ company, depth }: QueuedExecution): number {
    return this.byDepth.get(depth)?.get(company) ?? 0;
  }

  /** Of one company at depth `from` and deeper. */
  ofCompany(company: number, from = COMPILING): number {
    return sum(this.depths(from).map((depth) => this.of({ company, depth })));
  }

  atDepth(depth: number): number {
    return sum(this.byDepth.get(depth)?.values() ?? []);
  }

  /** Of all companies at this depth and deeper. */
  from(depth: number): number {
    return sum(this.depths(depth).map((each) => this.atDepth(each)));
  }

  get total(): number {
    return this.from(COMPILING);
  }

  private depths(from: number): number[] {
    return [...this.byDepth.keys()].filter((depth) => depth >= from);
  }
}

const sum = (counts: Iterable<number>): number => [...counts].reduce((total, count) => total + count, 0);

export interface Memory {
  fits(next: Needs): boolean;
  /** True when nothing of the company runs. */
  hasNone(company: number): boolean;
  take(one: Needs): void;
  give(one: Needs): void;
}

export interface Admission {
  running: RunningCounts;
  limitsOf: LimitsOf;
  memory: Memory;
}

/**
 * The index in `waiting`, which is in order of arrival, of the execution to start next; -1 for none. The company with
 * the fewest running executions of that depth comes first, and within it the oldest. An execution without a process
 * blocks no other. While a company with nothing running waits for memory, companies with some running start no more.
 */
export function nextToStart(
  waiting: readonly Needs[],
  { running, limitsOf, memory }: Admission,
  hasProcess: (index: number) => boolean = () => true,
): number {
  let next = -1;
  let fewest = Infinity;
  let isShort = false;
  for (const [index, each] of waiting.entries()) {
    const own = running.of(each);
    const { total, perCompany, reserve } = limitsOf(each.depth);
    const limit = own === 0 ? total + reserve : total;
    if (own >= fewest || own >= perCompany || running.atDepth(each.depth) >= limit) continue;
    if (!memory.fits(each)) isShort ||= memory.hasNone(each.company);
    else if (hasProcess(index)) [next, fewest] = [index, own];
  }
  return isShort && fewest > 0 ? -1 : next;
}

export function startableNow(waiting: readonly Needs[], admission: Admission): number {
  const { running, memory } = admission;
  const left = [...waiting];
  const started: Needs[] = [];
  for (let next = nextToStart(left, admission); next >= 0; next = nextToStart(left, admission)) {
    for (const each of left.splice(next, 1)) {
      running.add(each);
      memory.take(each);
      started.push(each);
    }
  }
  for (const each of started) {
    running.remove(each);
    memory.give(each);
  }
  return started.length;
}
