import { ApiError } from '@signalbox/contracts';
import { withTimeout } from './waits/with-timeout.js';

interface Known<Value> {
  value: Value;
  readAt: number;
  reading: boolean;
}

const FRESH_MS = 5000;
const WAIT_MS = 250;
const NEXT_TRY_MS = 1000;
const MAX_COMPANIES = 10_000;
/** Maximum number of entries of one company, because its callers choose the names. */
const MAX_KEYS = 10_000;

/**
 * A stale-while-revalidate cache of the values that calls depend on. Values are read again after five seconds; while
 * the source is down or slow the last value is used, so that calls work without Postgres. Misses are not cached.
 */
export class StaleWhileRevalidateCache<Value> {
  private readonly companies = new Map<number, Map<string, Known<Value>>>();

  async get(companyId: number, key: string, read: () => Promise<Value>): Promise<Value> {
    const known = this.companies.get(companyId)?.get(key);
    // One call waits for the new value; concurrent calls use the cached one.
    if (known && (known.reading || Date.now() - known.readAt < FRESH_MS)) return known.value;
    const company = this.of(companyId);
    if (!known) return this.read(company, key, read);
    known.reading = true;
    const news = this.read(company, key, read).catch((error: unknown) => {
      if (error instanceof ApiError && error.kind === 'not_found') {
        company.delete(key);
        throw error;
      }
      known.readAt = Date.now() - FRESH_MS + NEXT_TRY_MS;
      known.reading = false;
      return known.value;
    });
    return withTimeout(news, WAIT_MS, () => known.value);
  }

  /** Drops the values of a company. A pending read writes to the dropped map, so it cannot restore an old value. */
  forget(companyId: number): void {
    this.companies.delete(companyId);
  }

  /** The entries of a company, marked as used: the least recently used companies are evicted first. */
  private of(companyId: number): Map<string, Known<Value>> {
    const company = this.companies.get(companyId) ?? new Map<string, Known<Value>>();
    this.companies.delete(companyId);
    this.companies.set(companyId, company);
    for (const oldest of this.companies.keys()) {
      if (this.companies.size <= MAX_COMPANIES) break;
      this.companies.delete(oldest);
    }
    return company;
  }

  private async read(company: Map<string, Known<Value>>, key: string, read: () => Promise<Value>): Promise<Value> {
    // The age counts from the start of the read, because the value may change during it.
    const readAt = Date.now();
    const value = await read();
    company.delete(key);
    company.set(key, { value, readAt, reading: false });
    if (company.size > MAX_KEYS) company.delete(company.keys().next().value ?? key);
    return value;
  }
}
