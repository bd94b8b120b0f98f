import { ApiError } from '@signalbox/contracts';

interface Known<Value> {
  value: Value;
  readAt: number;
  reading: boolean;
}

const FRESH_MS = 5000;
const WAIT_MS = 250;
const NEXT_TRY_MS = 1000;
const MAX_COMPANIES = 10_000;
/** Of one company: its callers choose the names. */
const MAX_KEYS = 10_000;

/**
 * What was last read of things that calls depend on. Reads are repeated after five seconds; while their source is
 * away or slow the last known value serves on, so that calls go on without Postgres. Nothing unknown is remembered.
 */
export class StaleWhileRevalidateCache<Value> {
  private readonly companies = new Map<number, Map<string, Known<Value>>>();

  async get(companyId: number, key: string, read: () => Promise<Value>): Promise<Value> {
    const known = this.companies.get(companyId)?.get(key);
    // One call waits for the news; those beside it take what is there.
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
    return soon(news, known.value);
  }

  /** Forgets what was read of a company. A read under way lands in the map that is dropped here, so it cannot revive. */
  forget(companyId: number): void {
    this.companies.delete(companyId);
  }

  /** What is known of a company, which counts as used now: those that nothing is read for are forgotten first. */
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
    // Counted from the start of the read: what changes during it must not look fresh for longer.
    const readAt = Date.now();
    const value = await read();
    company.delete(key);
    company.set(key, { value, readAt, reading: false });
    if (company.size > MAX_KEYS) company.delete(company.keys().next().value ?? key);
    return value;
  }
}

/** The value when it comes soon, else the other one. */
async function soon<Value>(value: Promise<Value>, otherwise: Value): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Value>((resolve) => (timer = setTimeout(() => resolve(otherwise), WAIT_MS)));
  try {
    return await Promise.race([value, late]);
  } finally {
    clearTimeout(timer);
  }
}
