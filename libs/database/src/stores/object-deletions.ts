import { ApiError } from '@signalbox/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Database } from '../database.js';
import { protect } from '../schema/schema.js';
import type { Tx } from '../tx.js';
import { OBJECT_MARKS } from './object-deletions.sql.js';

@Entity({ name: 'object_deletions' })
export class ObjectDeletionRow {
  @PrimaryColumn('int') company_id!: number;
  @PrimaryColumn('text') object_key!: string;
  @Column('bigint') until!: number;
}

export const objectDeletionsTable = (service: string): string[] => [
  `CREATE TABLE "${service}".object_deletions (
    company_id int NOT NULL,
    object_key text NOT NULL,
    -- When the deletion ends at the latest; when it has ended, when it did.
    until bigint NOT NULL,
    PRIMARY KEY (company_id, object_key)
  )`,
  ...protect(service, 'object_deletions'),
];

/**
 * Deletes unreferenced objects without a transaction that waits for the object store. A writer stores an object before
 * the row that refers to it. A transaction that finds no reference marks an object before it is deleted; a writer that
 * meets the mark stores the object again afterwards. SQL: an advisory lock serialises marking and referring.
 */
export class ObjectDeletions {
  private readonly sql = OBJECT_MARKS.of(this.db.schema);

  constructor(
    private readonly db: Database,
    /** SQL: the column `key` of those keys in `$2` that no row of company `$1` refers to. */
    private readonly unreferenced: string,
  ) {}

  async delete(companyId: number, keys: readonly string[], remove: (key: string) => Promise<unknown>): Promise<void> {
    const marked = await this.mark(companyId, keys);
    if (marked.length === 0) return;
    const removed = await Promise.allSettled(marked.map(remove));
    await this.end(companyId, marked);
    for (const each of removed) if (each.status === 'rejected') throw each.reason;
  }

  /** When this is false after an object was stored, no later deletion takes the object for an old one. */
  async isUnderWay(companyId: number, key: string): Promise<boolean> {
    const rows = await this.db.select(companyId, this.sql.find, [key]);
    return rows.length > 0;
  }

  /** For `requireKept`; to be read before the object is stored. */
  async now(tx: Tx): Promise<number> {
    const [row] = await tx.query<{ now: number }>(this.sql.now);
    return row?.now ?? 0;
  }

  /**
   * For the transaction that refers to objects stored since `now`: 503 when one may have been deleted meanwhile. None
   * is marked until the transaction ends.
   */
  async requireKept(tx: Tx, keys: readonly string[], since: number): Promise<void> {
    await tx.query(this.sql.lockToRefer, [tx.companyId]);
    const gone = await tx.query(this.sql.findSince, [tx.companyId, keys, since]);
    if (gone.length > 0) throw new ApiError('unavailable', 'the object is being deleted', { retryAfter: 1 });
  }

  private mark(companyId: number, keys: readonly string[]): Promise<string[]> {
    return this.db.withCompany({ companyId }, async (tx) => {
      await tx.query(this.sql.lockToMark, [companyId]);
      await tx.query(this.sql.forget, [companyId]);
      const values = [companyId, keys];
      const marked = await tx.query<{ object_key: string }>(this.sql.mark(this.unreferenced), values);
      return marked.map(({ object_key }) => object_key);
    });
  }

  private async end(companyId: number, keys: readonly string[]): Promise<void> {
    await this.db.withCompany({ companyId }, (tx) => tx.query(this.sql.end, [companyId, keys]));
  }
}
