interface Waiting<Item> {
  items: Item[];
  running: number;
}

/** How much of a queue one company may use. */
export interface Shares {
  /** Items of one company that run at once. */
  running: number;
  /** Items of one company that wait. */
  waiting: number;
}

/** Items of companies that are taken in turns, one company after the other, each in the order of its arrival. */
export class FairQueue<Item> {
  /** In the order of their next turn. */
  private readonly companies = new Map<number, Waiting<Item>>();

  constructor(private readonly shares: Shares) {}

  /** False when too many items of the company wait. */
  add(companyId: number, item: Item): boolean {
    const company = this.companies.get(companyId) ?? { items: [], running: 0 };
    if (company.items.length >= this.shares.waiting) return false;
    company.items.push(item);
    this.companies.set(companyId, company);
    return true;
  }

  /** The next item to run, which counts as running until `ended`. */
  take(): { companyId: number; item: Item } | undefined {
    for (const [companyId, company] of this.companies) {
      if (company.items.length === 0 || company.running >= this.shares.running) continue;
      company.running += 1;
      // Its next turn comes after those of all others.
      this.companies.delete(companyId);
      this.companies.set(companyId, company);
      return { companyId, item: company.items.shift()! };
    }
    return undefined;
  }

  /** An item that was taken has ended. */
  ended(companyId: number): void {
    const company = this.companies.get(companyId);
    if (!company) return;
    company.running -= 1;
    this.forgetIdle(companyId, company);
  }

  /** Removes an item that waits; false when it does not wait any more. */
  remove(companyId: number, item: Item): boolean {
    const company = this.companies.get(companyId);
    const at = company?.items.indexOf(item) ?? -1;
    if (!company || at < 0) return false;
    company.items.splice(at, 1);
    this.forgetIdle(companyId, company);
    return true;
  }

  private forgetIdle(companyId: number, { items, running }: Waiting<Item>): void {
    if (items.length === 0 && running === 0) this.companies.delete(companyId);
  }
}
