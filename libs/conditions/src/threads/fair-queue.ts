interface CompanyQueue<Item> {
  items: { item: Item; bytes: number }[];
  bytes: number;
  running: number;
}

export interface Shares {
  running: number;
  waiting: number;
  /** Of waiting items; a single item may be larger. */
  waitingBytes: number;
}

/** Serves companies in turn, the items of each in order of arrival. */
export class FairQueue<Item> {
  private readonly companies = new Map<number, CompanyQueue<Item>>();

  constructor(private readonly shares: Shares) {}

  /** False when too many items of the company, or too many bytes, wait. */
  add(companyId: number, item: Item, bytes = 0): boolean {
    const company = this.companies.get(companyId) ?? { items: [], bytes: 0, running: 0 };
    const { waiting, waitingBytes } = this.shares;
    if (company.items.length >= waiting) return false;
    if (company.items.length > 0 && company.bytes + bytes > waitingBytes) return false;
    company.items.push({ item, bytes });
    company.bytes += bytes;
    this.companies.set(companyId, company);
    return true;
  }

  /** The item counts as running until `ended`. */
  take(): { companyId: number; item: Item } | undefined {
    for (const [companyId, company] of this.companies) {
      if (company.items.length === 0 || company.running >= this.shares.running) continue;
      company.running += 1;
      // Its next turn follows those of all others.
      this.companies.delete(companyId);
      this.companies.set(companyId, company);
      const next = company.items.shift()!;
      company.bytes -= next.bytes;
      return { companyId, item: next.item };
    }
    return undefined;
  }

  ended(companyId: number): void {
    const company = this.companies.get(companyId);
    if (!company) return;
    company.running -= 1;
    this.forgetIdle(companyId, company);
  }

  remove(companyId: number, item: Item): boolean {
    const company = this.companies.get(companyId);
    const at = company?.items.findIndex((each) => each.item === item) ?? -1;
    if (!company || at < 0) return false;
    for (const { bytes } of company.items.splice(at, 1)) company.bytes -= bytes;
    this.forgetIdle(companyId, company);
    return true;
  }

  private forgetIdle(companyId: number, { items, running }: CompanyQueue<Item>): void {
    if (items.length === 0 && running === 0) this.companies.delete(companyId);
  }
}
