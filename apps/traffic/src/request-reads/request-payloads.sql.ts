import { PAYLOAD_REPLY_BYTES } from '@signalbox/contracts';
import { readStatement } from '@signalbox/database';

/** Bodies stay text: they are passed on and not read here. */
const COLUMNS = `t.request_id, (CASE WHEN t.objects IS NULL THEN t.params->'messages' ELSE t.params END)::text AS params,
  t.response::text AS response, t.model, t.metadata::text AS metadata, t.date_created, t.objects,
  octet_length(t.params::text) + coalesce(octet_length(t.response::text), 0) AS own`;

export const DAY_MS = 86_400_000;

/**
 * The ids are looked up by the primary key. The ORDER BY leaves the planner no other index: with the statistics of a
 * partition that was empty a moment ago it would join all requests of the company with the ids, or find them by their
 * time. The times exclude the partitions of other days.
 */
export const READ_PAYLOADS = readStatement(
  { index: 'requests_pkey' },
  `SELECT r.* FROM s, LATERAL (SELECT * FROM (
    SELECT b.*, sum(b.own) OVER (ORDER BY b.n) AS bytes FROM (
      SELECT g.n, f.* FROM (
        SELECT ${COLUMNS} FROM traffic.requests t
        WHERE t.company_id = s.company AND t.request_id = ANY($2::uuid[]) AND t.deleted_at IS NULL
          AND t.date_created >= $3::bigint AND t.date_created < (extract(epoch FROM now()) * 1000)::bigint + ${DAY_MS}
        ORDER BY t.company_id, t.request_id OFFSET 0) f
      JOIN unnest($2::uuid[]) WITH ORDINALITY g(id, n) ON g.id = f.request_id OFFSET 0) b) b
  WHERE b.bytes - b.own < ${PAYLOAD_REPLY_BYTES} ORDER BY b.n OFFSET 0) r`,
);

export const NEWEST_OF_INTENT = readStatement(
  { index: 'requests_intent' },
  `SELECT r.* FROM s, LATERAL (SELECT 1 AS n, ${COLUMNS} FROM traffic.requests t
   WHERE t.company_id = s.company AND t.intent_id = $2 AND t.request_type = 'PROD' AND t.status = 'COMPLETED'
     AND t.deleted_at IS NULL ORDER BY t.date_created DESC, t.id DESC LIMIT 1) r`,
);
