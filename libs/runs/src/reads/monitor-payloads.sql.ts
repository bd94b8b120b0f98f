import { PAYLOAD_REPLY_BYTES } from '@signalbox/contracts';
import { readStatement } from '@signalbox/database';
import { primaryKeyOf } from '../run-tables.js';

interface PayloadSource {
  table: string;
  payload: string;
  /** What a monitor watches, such as `agent_id`. */
  targetColumn: string;
  /** Completed runs that count as production: neither nested nor of a test. */
  isProduction: string;
  /** Indexes that find the runs of a target, and what the payload reads besides them. */
  indexes: { ofTarget: string; payload: readonly string[] };
}

export type PayloadStatements = ReturnType<typeof payloadStatements>;

export function payloadStatements({ table, payload, targetColumn, isProduction, indexes }: PayloadSource) {
  const body = `json_build_object('source_id', t.id, 'sampled_at', t.completed_at, 'payload', ${payload})::text AS body`;
  return {
    read: readStatement(
      { index: [primaryKeyOf(table), ...indexes.payload] },
      `SELECT r.* FROM s, LATERAL (SELECT n, body, found FROM (
         SELECT n, body, octet_length(body) AS own, sum(octet_length(body)) OVER (ORDER BY n) AS bytes, count(*) OVER ()::int AS found
         FROM (SELECT g.n, f.body FROM (SELECT t.id, ${body} FROM ${table} t
             WHERE t.company_id = s.company AND t.id = ANY($2::uuid[]) AND t.completed_at IS NOT NULL
             ORDER BY t.company_id, t.id OFFSET 0) f
           JOIN unnest($2::uuid[]) WITH ORDINALITY g(id, n) ON g.id = f.id OFFSET 0) p
       ) b WHERE b.bytes - b.own < ${PAYLOAD_REPLY_BYTES} ORDER BY b.n) r`,
    ),
    newest: readStatement(
      { index: [indexes.ofTarget, ...indexes.payload] },
      `SELECT r.* FROM s, LATERAL (SELECT ${body} FROM ${table} t
         WHERE t.company_id = s.company AND t.${targetColumn} = $2 AND t.status = 'COMPLETED' AND ${isProduction}
         ORDER BY t.no DESC LIMIT 1) r`,
    ),
  };
}
