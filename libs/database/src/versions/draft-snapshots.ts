import type { Database } from '../database.js';
import type { Tx } from '../tx.js';

/** Where drafts are stored and how the snapshot of one is built. */
export interface DraftSource {
  /** Table of the parents, `t` in `snapshot`. */
  table: string;
  /** The snapshot as one jsonb value. */
  snapshot: string;
  /** The noun of messages. */
  type: string;
}

/**
 * Reads drafts in the form in which a publish freezes them.
 *
 * SQL: a snapshot with all its parts is built in one statement.
 */
export class DraftSnapshots<Snapshot extends object> {
  constructor(
    protected readonly db: Database,
    private readonly source: DraftSource,
  ) {}

  /** The draft without a lock, null when the parent does not exist. */
  async find(companyId: number, id: number): Promise<Snapshot | null> {
    const { table, snapshot } = this.source;
    const [row] = await this.db.select<{ snapshot: Snapshot }>(
      companyId,
      `SELECT d.snapshot FROM s, LATERAL (SELECT ${snapshot} AS snapshot FROM ${table} t
         WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL OFFSET 0) d`,
      [id],
    );
    return row?.snapshot ?? null;
  }

  /** The draft of a parent that the transaction has locked. */
  async freeze(tx: Tx, id: number): Promise<Snapshot> {
    const { table, snapshot, type } = this.source;
    const [row] = await tx.query<{ snapshot: Snapshot }>(
      `SELECT ${snapshot} AS snapshot FROM ${table} t WHERE t.company_id = $1 AND t.id = $2`,
      [tx.companyId, id],
    );
    if (!row) throw new Error(`${type} ${id} does not exist although it is locked`);
    return row.snapshot;
  }

  /** Marks the current draft as published; for tables that keep the hashes of drafts. */
  async published(tx: Tx, id: number): Promise<void> {
    await tx.query(`UPDATE ${this.source.table} SET published_hash = draft_hash WHERE company_id = $1 AND id = $2`, [
      tx.companyId,
      id,
    ]);
  }
}
