import { readStatement, txStatement } from '@signalbox/database';

export const OPEN_SESSION = txStatement(
  { index: 'sessions_name' },
  `INSERT INTO traffic.sessions AS t (company_id, session_id, application_id, first_request_at, last_request_at)
  VALUES ($1, $2, $3, $4, $4)
  ON CONFLICT (company_id, session_id) WHERE deleted_at IS NULL DO NOTHING RETURNING t.application_id`,
);

export const COUNT_REQUESTS = txStatement(
  { index: ['applications_pkey', 'sessions_name'] },
  `INSERT INTO traffic.sessions AS t
    (company_id, date_created, date_updated,
      session_id, application_id, request_count, total_tokens, cost, first_request_at, last_request_at)
  SELECT $1::int, d.now, d.now, u.*
  FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now OFFSET 0) d, unnest($2::text[], $3::int[], $4::bigint[], $5::bigint[], $6::float8[], $7::bigint[], $8::bigint[]) u
  ON CONFLICT (company_id, session_id) WHERE deleted_at IS NULL DO UPDATE SET
    request_count = t.request_count + EXCLUDED.request_count,
    total_tokens = t.total_tokens + EXCLUDED.total_tokens,
    cost = COALESCE(t.cost + EXCLUDED.cost, t.cost, EXCLUDED.cost),
    first_request_at = LEAST(t.first_request_at, EXCLUDED.first_request_at),
    last_request_at = GREATEST(t.last_request_at, EXCLUDED.last_request_at)
  RETURNING t.session_id, (t.xmax = 0) AS fresh, t.application_id = ANY (ARRAY(
    SELECT a.id FROM traffic.applications a WHERE a.company_id = $1 AND a.session_summaries)) AS summarised`,
);

export const APPLICATION_OF_SESSION = readStatement(
  { index: 'sessions_name' },
  `SELECT x.* FROM s, LATERAL (SELECT t.application_id FROM traffic.sessions t
   WHERE t.company_id = s.company AND t.session_id = $2 AND t.deleted_at IS NULL OFFSET 0) x`,
);
