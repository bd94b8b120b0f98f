import { setImmediate } from 'node:timers/promises';

/** Bytes or characters from which a pass over a text takes other calls noticeable time. */
const LARGE = 64 * 1024;
/** How long a company rests after a piece of its work, in times of what the piece took. */
const REST = 3;
/** The longest time of a piece that counts: a longer one is a pause of the machine. */
const LONGEST_PIECE_MS = 30;
/** How long a company counts as active after it was seen. */
const ACTIVE_MS = 1000;

interface Company {
  /** What begins each piece that is due, the oldest first. */
  waiting: (() => void)[];
  /** No further piece begins before, by the clock of `performance`. */
  restsUntil: number;
}

interface Sight {
  companyId: number;
  at: number;
}

/**
 * Work on large texts in one process. One piece begins per turn of the event loop: without it the calls of others wait
 * for all that is due, such as the parsing of several bodies of a megabyte. Companies take turns. While others are
 * active as well, a company rests after each piece, so that its texts take a quarter of the event loop at most.
 */
export class LargeWork {
  private readonly companies = new Map<number, Company>();
  private isBeginning = false;
  private timer: NodeJS.Timeout | undefined;
  /** The company that was seen last, and the last one before it that is another. */
  private latest: Sight = { companyId: -1, at: -Infinity };
  private other: Sight = this.latest;

  /** Notes that a company has called: the large work of others leaves it time. */
  seen(companyId: number): void {
    const now = performance.now();
    if (this.latest.companyId !== companyId) this.other = this.latest;
    this.latest = { companyId, at: now };
  }

  /** Resolves when work of a company on a text of this length may begin; undefined where it may at once. */
  turn(length: number, companyId: number): Promise<void> | undefined {
    if (length < LARGE) return undefined;
    return new Promise((begin) => {
      this.companyOf(companyId).waiting.push(begin);
      this.advance();
    });
  }

  private companyOf(companyId: number): Company {
    const known = this.companies.get(companyId);
    if (known) return known;
    this.forgetRested();
    const company = { waiting: [], restsUntil: 0 };
    this.companies.set(companyId, company);
    return company;
  }

  private forgetRested(): void {
    const now = performance.now();
    for (const [id, { waiting, restsUntil }] of this.companies)
      if (waiting.length === 0 && restsUntil <= now) this.companies.delete(id);
  }

  /** Begins the next piece, unless one has just begun; while all companies rest that wait, when the first has rested. */
  private advance(): void {
    clearTimeout(this.timer);
    if (this.isBeginning) return;
    const due = [...this.companies].filter(([, { waiting }]) => waiting.length > 0);
    if (due.length === 0) return;
    const now = performance.now();
    const rested = due.find(([, { restsUntil }]) => restsUntil <= now);
    if (rested) return void this.begin(...rested);
    const first = Math.min(...due.map(([, { restsUntil }]) => restsUntil));
    this.timer = setTimeout(() => this.advance(), first - now);
  }

  /** Begins the oldest piece of a company, which then comes behind the others. */
  private async begin(companyId: number, company: Company): Promise<void> {
    this.isBeginning = true;
    await setImmediate();
    const began = performance.now();
    company.waiting.shift()?.();
    await setImmediate();
    const now = performance.now();
    if (this.isShared(companyId, now)) company.restsUntil = now + REST * Math.min(now - began, LONGEST_PIECE_MS);
    this.companies.delete(companyId);
    this.companies.set(companyId, company);
    this.isBeginning = false;
    this.advance();
  }

  /** Whether another company was active a moment ago. */
  private isShared(companyId: number, now: number): boolean {
    const { at } = this.latest.companyId === companyId ? this.other : this.latest;
    return now - at < ACTIVE_MS;
  }
}

/** The large work of this process. */
export const largeWork = new LargeWork();
