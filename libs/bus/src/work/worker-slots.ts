export class WorkerSlots {
  private inUse = 0;
  readonly busy = new Map<number, number>();

  constructor(
    private readonly limit: number,
    readonly perCompany: number,
  ) {}

  get free(): number {
    return this.limit - this.inUse;
  }

  freeFor(companyId: number, wanted: number): number {
    return Math.max(0, Math.min(wanted, this.free, this.perCompany - (this.busy.get(companyId) ?? 0)));
  }

  take(companyId: number, count = 1): void {
    this.inUse += count;
    this.busy.set(companyId, (this.busy.get(companyId) ?? 0) + count);
  }

  /** Returns whether the worker, or the company, had no free slot before. */
  release(companyId: number, count = 1): boolean {
    const had = this.busy.get(companyId) ?? 0;
    const full = this.free <= 0 || had >= this.perCompany;
    this.inUse -= count;
    if (had > count) this.busy.set(companyId, had - count);
    else this.busy.delete(companyId);
    return full;
  }
}
