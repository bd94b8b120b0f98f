import type { Database } from '../database.js';
import type { Tx } from '../tx.js';
import type { draftStatements } from './drafts.sql.js';

/** Reads drafts in the form in which a publish freezes them. SQL: one statement for all parts. */
export class DraftSnapshots<Snapshot extends object> {
  constructor(
    protected readonly db: Database,
    private readonly sql: ReturnType<typeof draftStatements>,
    private readonly type: string,
  ) {}

  async find(companyId: number, id: number): Promise<Snapshot | null> {
    const [row] = await this.db.select<{ snapshot: Snapshot }>(companyId, this.sql.find, [id]);
    return row?.snapshot ?? null;
  }

  async freeze(tx: Tx, id: number): Promise<Snapshot> {
    const [row] = await tx.query<{ snapshot: Snapshot }>(this.sql.freeze, [tx.companyId, id]);
    if (!row) throw new Error(`${this.type} ${id} does not exist although it is locked`);
    return row.snapshot;
  }
}
