import { PAYLOAD_REPLY_BYTES, type SourcePayload, type SourcePayloads } from '@signalbox/contracts';
import type { Database } from '@signalbox/database';

export interface MonitorPayloadKind {
  table: string;
  payload: string;
  /** What a monitor watches, such as `agent_id`. */
  targetColumn: string;
  /** Completed runs that count as production: neither nested nor of a test. */
  isProduction: string;
}

/**
 * The runs of one kind as monitors judge them.
 * SQL: payloads are built as JSON in Postgres and cut by a running sum of bytes to what fits into one reply. The order
 * leaves only the primary key to the planner: a join with the ids may read all runs of the company.
 */
export class MonitorPayloads {
  private readonly body: string;

  constructor(
    private readonly db: Database,
    private readonly kind: MonitorPayloadKind,
  ) {
    this.body = `json_build_object('source_id', t.id, 'sampled_at', t.completed_at, 'payload', ${kind.payload})::text AS body`;
  }

  /** The first runs that have ended and fit into one reply. */
  async read(companyId: number, ids: readonly string[]): Promise<SourcePayloads> {
    const rows = await this.db.select<{ n: number; body: string; found: number }>(
      companyId,
      `SELECT r.* FROM s, LATERAL (SELECT n, body, found FROM (
         SELECT n, body, octet_length(body) AS own, sum(octet_length(body)) OVER (ORDER BY n) AS bytes, count(*) OVER ()::int AS found
         FROM (SELECT g.n, f.body FROM (SELECT t.id, ${this.body} FROM ${this.kind.table} t
             WHERE t.company_id = s.company AND t.id = ANY($2::uuid[]) AND t.completed_at IS NOT NULL
             ORDER BY t.company_id, t.id OFFSET 0) f
           JOIN unnest($2::uuid[]) WITH ORDINALITY g(id, n) ON g.id = f.id OFFSET 0) p
       ) b WHERE b.bytes - b.own < ${PAYLOAD_REPLY_BYTES} ORDER BY b.n) r`,
      [ids],
    );
    const last = rows.at(-1);
    return {
      payloads: rows.map(({ body }) => JSON.parse(body) as SourcePayload),
      read: last && last.found > rows.length ? last.n : ids.length,
    };
  }

  async newest(companyId: number, targetId: number): Promise<SourcePayload | null> {
    const { table, targetColumn, isProduction } = this.kind;
    const [row] = await this.db.select<{ body: string }>(
      companyId,
      `SELECT r.* FROM s, LATERAL (SELECT ${this.body} FROM ${table} t
         WHERE t.company_id = s.company AND t.${targetColumn} = $2 AND t.status = 'COMPLETED' AND ${isProduction}
         ORDER BY t.no DESC LIMIT 1) r`,
      [targetId],
    );
    return row ? (JSON.parse(row.body) as SourcePayload) : null;
  }
}
