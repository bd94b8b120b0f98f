import { ApiError } from '@signalbox/contracts';
import { LRUCache } from 'lru-cache';
import { withTimeout } from './waits/with-timeout.js';

interface CachedValue<Value> {
  value: Value;
  readAt: number;
  reading: boolean;
}

const FRESH_MS = 5000;
const WAIT_MS = 250;
const NEXT_TRY_MS = 1000;
const MAX_COMPANIES = 10_000;
/** Per company, because its callers choose the names. */
const MAX_KEYS = 10_000;

/**
 * Values are read again after five seconds; while the source is down or slow the last value is used, so that calls work
 * without Postgres. Misses are not cached.
 */
export class StaleWhileRevalidateCache<Value> {
  private readonly companies = new LRUCache<number, LRUCache<string, CachedValue<Value>>>({ max: MAX_COMPANIES });

  async get(companyId: number, key: string, read: () => Promise<Value>): Promise<Value> {
    const cached = this.companies.get(companyId)?.get(key);
    // One call waits for the new value; concurrent calls use the cached one.
    if (cached && (cached.reading || Date.now() - cached.readAt < FRESH_MS)) return cached.value;
    const company = this.of(companyId);
    if (!cached) return this.read(company, key, read);
    cached.reading = true;
    const fresh = this.read(company, key, read).catch((error: unknown) => {
      if (error instanceof ApiError && error.kind === 'not_found') {
        company.delete(key);
        throw error;
      }
      cached.readAt = Date.now() - FRESH_MS + NEXT_TRY_MS;
      cached.reading = false;
      return cached.value;
    });
    return withTimeout(fresh, WAIT_MS, () => cached.value);
  }

  /** A pending read writes to the dropped map, so it cannot restore an old value. */
  forget(companyId: number): void {
    this.companies.delete(companyId);
  }

  private of(companyId: number): LRUCache<string, CachedValue<Value>> {
    const cached = this.companies.get(companyId);
    if (cached) return cached;
    // `max` would allocate all entries of each company at once.
    const company = new LRUCache<string, CachedValue<Value>>({ maxSize: MAX_KEYS, sizeCalculation: () => 1 });
    this.companies.set(companyId, company);
    return company;
  }

  private async read(
    company: LRUCache<string, CachedValue<Value>>,
    key: string,
    read: () => Promise<Value>,
  ): Promise<Value> {
    // From the start of the read, because the value may change during it.
    const readAt = Date.now();
    const value = await read();
    company.set(key, { value, readAt, reading: false });
    return value;
  }
}
