import type { SourcePayload, SourcePayloads } from '@signalbox/contracts';
import type { Database } from '@signalbox/database';
import type { PayloadStatements } from './monitor-payloads.sql.js';

/**
 * The runs of one kind as monitors judge them.
 * SQL: payloads are built as JSON in Postgres and cut by a running sum of bytes to what fits into one reply. The order
 * leaves only the primary key to the planner: a join with the ids may read all runs of the company.
 */
export class MonitorPayloads {
  constructor(
    private readonly db: Database,
    private readonly statements: PayloadStatements,
  ) {}

  /** The first runs that have ended and fit into one reply. */
  async read(companyId: number, ids: readonly string[]): Promise<SourcePayloads> {
    const rows = await this.db.select<{ n: number; body: string; found: number }>(companyId, this.statements.read, [
      ids,
    ]);
    const last = rows.at(-1);
    return {
      payloads: rows.map(({ body }) => JSON.parse(body) as SourcePayload),
      read: last && last.found > rows.length ? last.n : ids.length,
    };
  }

  async newest(companyId: number, targetId: number): Promise<SourcePayload | null> {
    const [row] = await this.db.select<{ body: string }>(companyId, this.statements.newest, [targetId]);
    return row ? (JSON.parse(row.body) as SourcePayload) : null;
  }
}
