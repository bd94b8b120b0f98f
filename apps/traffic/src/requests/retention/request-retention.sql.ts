import { composed, txStatement, workerStatement } from '@signalbox/database';

export const DAY_MS = 86_400_000;

/** Tables whose rows belong to requests and carry their date. */
export const OF_REQUESTS = ['request_tags', 'evaluation_results'] as const;

/** Skips through the key instead of reading all rows. */
export const COMPANIES_OF_SPAN = workerStatement(
  { index: 'requests_time' },
  `WITH RECURSIVE c(id) AS (
    SELECT 0
    UNION ALL
    SELECT n.company_id FROM c CROSS JOIN LATERAL (
      SELECT r.company_id FROM traffic.requests r
      WHERE r.company_id > c.id AND r.date_created >= $1 AND r.date_created < $2 ORDER BY r.company_id LIMIT 1) n
  ) SELECT id FROM c WHERE id > 0`,
);

export const RECORDED_DAYS = workerStatement(
  { index: null },
  `SELECT substring(p.relname FROM 10) AS day FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhrelid
  WHERE i.inhparent = 'traffic.requests'::regclass AND p.relname ~ '^requests_[0-9]{8}$' ORDER BY 1`,
);

export const DAYS_IN_DEFAULT = workerStatement(
  { index: 'requests_time' },
  `WITH RECURSIVE d(company_id, starts) AS (
    (SELECT company_id, date_created / ${DAY_MS} * ${DAY_MS} FROM traffic.requests_default
     ORDER BY company_id, date_created LIMIT 1)
    UNION ALL
    SELECT n.* FROM d CROSS JOIN LATERAL (
      SELECT r.company_id, r.date_created / ${DAY_MS} * ${DAY_MS} FROM traffic.requests_default r
      WHERE (r.company_id, r.date_created) >= (d.company_id, d.starts + ${DAY_MS})
      ORDER BY r.company_id, r.date_created LIMIT 1) n
  ) SELECT starts, array_agg(company_id) AS companies FROM d GROUP BY starts ORDER BY starts`,
);

export const DELETE_OF_DAY = composed(
  (table: (typeof OF_REQUESTS)[number]) =>
    txStatement(
      { index: `${table}_date` },
      `DELETE FROM traffic.${table} WHERE company_id = $1 AND request_date >= $2 AND request_date < $3`,
    ),
  ['request_tags'],
  ['evaluation_results'],
);

export const DROP_PARTITION = workerStatement({ index: null }, 'SELECT traffic.drop_request_partition($1::date)');

/** The span is given twice: without it every partition would be read for each batch. */
export const DELETE_REQUESTS = txStatement(
  { index: 'requests_time' },
  `WITH old AS (SELECT request_id, date_created FROM traffic.requests
     WHERE company_id = $1 AND date_created >= $2 AND date_created < $3 LIMIT $4)
   DELETE FROM traffic.requests r USING old
   WHERE r.company_id = $1 AND r.request_id = old.request_id AND r.date_created = old.date_created
     AND r.date_created >= $2 AND r.date_created < $3
   RETURNING r.request_id, r.objects IS NOT NULL AS aside`,
);

export const DELETE_OF_REQUESTS = composed(
  (table: (typeof OF_REQUESTS)[number]) =>
    txStatement(
      { index: `${table}_request` },
      `DELETE FROM traffic.${table} WHERE company_id = $1 AND request_id = ANY($2::uuid[])`,
    ),
  ['request_tags'],
  ['evaluation_results'],
);
