import type { JsonText } from '@signalbox/contracts';
import type { Database } from './database.js';
import { type KeyColumn, lookupSql, type View } from './view.js';

interface Lookup<Wire> {
  key: readonly unknown[];
  resolve: (row: JsonText<Wire> | null) => void;
  reject: (error: unknown) => void;
}

const MAX_LOOKUPS = 64;

/**
 * Looks up rows by a key other than their id; the look-ups of one event-loop turn share a statement and a connection
 * (docs/decisions/109).
 */
export class LookupBatcher<Wire> {
  private readonly text: string;
  private gathered: Lookup<Wire>[] = [];

  constructor(
    private readonly db: Pick<Database, 'lookUp'>,
    view: View,
    key: readonly KeyColumn[],
  ) {
    this.text = lookupSql(view, key);
  }

  find(companyId: number, ...values: readonly unknown[]): Promise<JsonText<Wire> | null> {
    return new Promise((resolve, reject) => {
      if (this.gathered.length === 0) setImmediate(() => void this.flush());
      this.gathered.push({ key: [companyId, ...values], resolve, reject });
      if (this.gathered.length === MAX_LOOKUPS) void this.flush();
    });
  }

  private async flush(): Promise<void> {
    const lookups = this.gathered;
    this.gathered = [];
    const [first] = lookups;
    if (first === undefined) return;
    try {
      const columns = first.key.map((_, index) => lookups.map(({ key }) => key[index]));
      const rows = await this.db.lookUp<Wire>(this.text, columns);
      lookups.forEach(({ resolve }, index) => resolve(rows[index] ?? null));
    } catch (error) {
      for (const { reject } of lookups) reject(error);
    }
  }
}
