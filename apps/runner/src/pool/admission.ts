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
export interface QueuedExecution {
  company: number;
  /** How many executions wait for this one to end; `COMPILING` for a compilation. */
  depth: number;
}

/** The depth of compilations: they have separate slots, for scripts that run may take minutes. */
export const COMPILING = -1;

/** An execution with what it needs until it ends, and what it holds while it waits. */
export interface Needs extends QueuedExecution {
  /** The most memory that its process may use. */
  memoryMb: number;
  /** The bytes of its script and argument. */
  bytes: number;
}

/** The limits of each depth. */
export type LimitsOf = (depth: number) => AdmissionLimits;

/**
 * What the running executions have, counted by depth and company. A script that waits for a nested one keeps its slot:
 * because each depth has separate slots, the nested ones find one however many scripts wait for them.
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

  /** That of one company at one depth. */
  of({ company, depth }: QueuedExecution): number {
    return this.byDepth.get(depth)?.get(company) ?? 0;
  }

  /** That of one company at a depth and below it. */
  ofCompany(company: number, from = COMPILING): number {
    return sum(this.depths(from).map((depth) => this.of({ company, depth })));
  }

  /** That of all companies at one depth. */
  atDepth(depth: number): number {
    return sum(this.byDepth.get(depth)?.values() ?? []);
  }

  /** That of all companies at a depth and below it. */
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

/** The memory of executions, as far as it decides which one starts. */
export interface Memory {
  fits(next: Needs): boolean;
  /** True when nothing of the company runs. */
  hasNone(company: number): boolean;
  take(one: Needs): void;
  give(one: Needs): void;
}

/** What decides which of the waiting executions starts. */
export interface Admission {
  running: RunningCounts;
  limitsOf: LimitsOf;
  memory: Memory;
}

/**
 * The waiting execution that starts next, as an index into `waiting`, which is in order of arrival; -1 when none may.
 * The company with the fewest running executions of its depth comes first, and within it the one that has waited
 * longest. One without a process holds up no other: `hasProcess` says which have one. While a company with nothing
 * running waits for memory, those that have some start no more.
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

/** How many of the waiting executions could start now if each had a process. */
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
