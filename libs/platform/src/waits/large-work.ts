import { setImmediate } from 'node:timers/promises';

/** Bytes or characters from which processing a text delays other calls noticeably. */
const LARGE = 64 * 1024;
/** Rest of a company after a piece, in multiples of its duration. */
const REST = 3;
/** A longer piece is a pause of the machine. */
const LONGEST_PIECE_MS = 30;
const ACTIVE_MS = 1000;

interface Company {
  waiting: (() => void)[];
  /** By the clock of `performance`. */
  restsUntil: number;
}

interface Sight {
  companyId: number;
  at: number;
}

/**
 * Work on large texts in one process. One piece begins per event-loop turn: otherwise calls wait for all that is due,
 * such as the parsing of several large bodies. Companies take turns. While others are active, a company rests after
 * each piece, so that it takes at most a quarter of the event loop.
 */
export class LargeWork {
  private readonly companies = new Map<number, Company>();
  private isBeginning = false;
  private timer: NodeJS.Timeout | undefined;
  /** The company seen last, and the last other one before it. */
  private latest: Sight = { companyId: -1, at: -Infinity };
  private other: Sight = this.latest;

  seen(companyId: number): void {
    const now = performance.now();
    if (this.latest.companyId !== companyId) this.other = this.latest;
    this.latest = { companyId, at: now };
  }

  /** Resolves when the work may begin; undefined when it may at once. */
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

  /** Begins the next piece, unless one has just begun; when all waiting companies rest, when the first has rested. */
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

  /** Moves the company behind the others. */
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

  private isShared(companyId: number, now: number): boolean {
    const { at } = this.latest.companyId === companyId ? this.other : this.latest;
    return now - at < ACTIVE_MS;
  }
}

export const largeWork = new LargeWork();
