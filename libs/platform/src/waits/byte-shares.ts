export interface ByteLimits {
  total: number;
  perCompany: number;
  /** One holder, unless it holds a single amount. */
  perHolder: number;
}

interface QueuedRequest {
  holder: object;
  bytes: number;
  start(): void;
}

interface Company {
  held: number;
  waiting: QueuedRequest[];
}

/**
 * Bytes held for a while, bounded per holder, per company and in all. What exceeds a bound waits; the company that
 * holds least is served first, and among equals the one served longest ago. An amount above the share of a company
 * counts as that share, an empty one as one byte.
 */
export class ByteShares {
  private readonly companies = new Map<number, Company>();
  private readonly holders = new Map<object, number>();
  private held = 0;

  constructor(private readonly limits: ByteLimits) {}

  /** Resolves, once the bytes are free, with what gives them back; rejects with the reason of the signal. */
  take(companyId: number, holder: object, wanted: number, signal: AbortSignal): Promise<() => void> {
    const bytes = Math.max(1, Math.min(wanted, this.limits.perCompany));
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      const company = this.companies.get(companyId) ?? { held: 0, waiting: [] };
      this.companies.set(companyId, company);
      const leave = (): void => {
        company.waiting.splice(company.waiting.indexOf(waiting), 1);
        this.forgetIdle(companyId, company);
        reject(signal.reason as Error);
        // Others may have waited for it alone.
        this.advance();
      };
      const waiting: QueuedRequest = {
        holder,
        bytes,
        start: () => {
          signal.removeEventListener('abort', leave);
          this.moveBehindOthers(companyId, company);
          this.add(company, holder, bytes);
          resolve(this.giverOf(companyId, company, holder, bytes));
        },
      };
      company.waiting.push(waiting);
      signal.addEventListener('abort', leave, { once: true });
      this.advance();
    });
  }

  /** How many wait for bytes. */
  get waiting(): number {
    let count = 0;
    for (const { waiting } of this.companies.values()) count += waiting.length;
    return count;
  }

  /** Undefined when it would have to wait, or anything else waits. */
  takeFree(companyId: number, holder: object, wanted: number): (() => void) | undefined {
    const bytes = Math.max(1, Math.min(wanted, this.limits.perCompany));
    const company = this.companies.get(companyId) ?? { held: 0, waiting: [] };
    const isFree = this.held + bytes <= this.limits.total && company.held + bytes <= this.limits.perCompany;
    if (!isFree || this.isAnyWaiting() || !this.fitsHolder({ holder, bytes })) return undefined;
    this.moveBehindOthers(companyId, company);
    this.add(company, holder, bytes);
    return this.giverOf(companyId, company, holder, bytes);
  }

  private isAnyWaiting(): boolean {
    for (const { waiting } of this.companies.values()) if (waiting.length > 0) return true;
    return false;
  }

  private add(company: Company, holder: object, bytes: number): void {
    this.held += bytes;
    company.held += bytes;
    const left = (this.holders.get(holder) ?? 0) + bytes;
    if (left > 0) this.holders.set(holder, left);
    else this.holders.delete(holder);
  }

  private giverOf(companyId: number, company: Company, holder: object, bytes: number): () => void {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.add(company, holder, -bytes);
      this.forgetIdle(companyId, company);
      this.advance();
    };
  }

  private advance(): void {
    for (let next = this.next(); next; next = this.next()) next.start();
  }

  /** The oldest that fits of the company that holds least. While it waits for the others, no other is taken. */
  private next(): QueuedRequest | undefined {
    let least: Company | undefined;
    let next: QueuedRequest | undefined;
    for (const company of this.companies.values()) {
      if (least && company.held >= least.held) continue;
      const found = this.firstOf(company);
      if (found) [least, next] = [company, found];
    }
    if (!least || !next || this.held + next.bytes > this.limits.total) return undefined;
    least.waiting.splice(least.waiting.indexOf(next), 1);
    return next;
  }

  /** The oldest that fits its holder; later ones of the company do not pass it while the company is at its limit. */
  private firstOf({ held, waiting }: Company): QueuedRequest | undefined {
    const oldest = waiting.find((each) => this.fitsHolder(each));
    return oldest && held + oldest.bytes <= this.limits.perCompany ? oldest : undefined;
  }

  private fitsHolder({ holder, bytes }: Pick<QueuedRequest, 'holder' | 'bytes'>): boolean {
    const own = this.holders.get(holder) ?? 0;
    return own === 0 || own + bytes <= this.limits.perHolder;
  }

  private moveBehindOthers(companyId: number, company: Company): void {
    this.companies.delete(companyId);
    this.companies.set(companyId, company);
  }

  private forgetIdle(companyId: number, company: Company): void {
    const isIdle = company.held === 0 && company.waiting.length === 0;
    if (isIdle && this.companies.get(companyId) === company) this.companies.delete(companyId);
  }
}
