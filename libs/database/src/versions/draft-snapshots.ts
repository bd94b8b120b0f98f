import type { Database } from '../database.js';
import type { Tx } from '../tx.js';

export interface DraftSource {
  /** Table of the parents, `t` in `snapshot`. */
  table: string;
  snapshot: string;
  type: string;
}

/** Reads drafts in the form in which a publish freezes them. SQL: one statement for all parts. */
export class DraftSnapshots<Snapshot extends object> {
  constructor(
    protected readonly db: Database,
    private readonly source: DraftSource,
  ) {}

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

  async freeze(tx: Tx, id: number): Promise<Snapshot> {
    const { table, snapshot, type } = this.source;
    const [row] = await tx.query<{ snapshot: Snapshot }>(
      `SELECT ${snapshot} AS snapshot FROM ${table} t WHERE t.company_id = $1 AND t.id = $2`,
      [tx.companyId, id],
    );
    if (!row) throw new Error(`${type} ${id} does not exist although it is locked`);
    return row.snapshot;
  }

  /** For tables that keep the hashes of drafts. */
  async published(tx: Tx, id: number): Promise<void> {
    await tx.query(`UPDATE ${this.source.table} SET published_hash = draft_hash WHERE company_id = $1 AND id = $2`, [
      tx.companyId,
      id,
    ]);
  }
}
