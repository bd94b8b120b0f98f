import { readStatement, txStatement } from '@signalbox/database';

const TAGS_OF_REQUEST = `SELECT g.id, g.tag_name FROM traffic.request_tags a
  JOIN traffic.tags g ON g.company_id = a.company_id AND g.id = a.tag_id`;

export const TAGS_OF = readStatement(
  { index: ['request_tags_request', 'requests_pkey', 'tags_pkey'] },
  `SELECT x.* FROM s, LATERAL (SELECT COALESCE(
     (SELECT json_agg(g ORDER BY g.tag_name)
      FROM (${TAGS_OF_REQUEST} WHERE a.company_id = t.company_id AND a.request_id = t.request_id) g), '[]') AS tags
   FROM traffic.requests t
   WHERE t.company_id = s.company AND t.request_id = $2 AND t.deleted_at IS NULL OFFSET 0) x`,
);

export const INSERT_TAG = txStatement(
  { index: null },
  `INSERT INTO traffic.request_tags (company_id, tag_id, request_id, request_date) VALUES ($1, $2, $3, $4)
   ON CONFLICT DO NOTHING`,
);

export const DELETE_TAG = txStatement(
  { index: 'request_tags_pkey' },
  'DELETE FROM traffic.request_tags WHERE company_id = $1 AND request_id = $2 AND tag_id = $3',
);

export const SHARE_TAGS = txStatement(
  { index: 'tags_pkey' },
  `SELECT id FROM traffic.tags WHERE company_id = $1 AND id = ANY ($2::int[]) AND deleted_at IS NULL
   ORDER BY id FOR SHARE`,
);

export const ASSIGN_TAGS = txStatement(
  { index: 'requests_pkey' },
  `WITH assigned AS (
     INSERT INTO traffic.request_tags (company_id, tag_id, request_id, request_date)
     SELECT $1, u.tag_id, r.request_id, r.date_created
     FROM unnest($2::int[], $3::uuid[], $4::bigint[]) u(tag_id, request_id, date_created)
     JOIN traffic.requests r ON r.company_id = $1 AND r.request_id = u.request_id
       AND r.date_created = u.date_created AND r.deleted_at IS NULL
     WHERE u.tag_id = ANY ($5::int[])
     ORDER BY u.tag_id, r.request_id
     ON CONFLICT DO NOTHING RETURNING request_id)
   SELECT count(DISTINCT request_id)::int AS requests FROM assigned`,
);

export const TAGS_IN_TRANSACTION = txStatement(
  { index: ['request_tags_request', 'tags_pkey'] },
  `${TAGS_OF_REQUEST} WHERE a.company_id = $1 AND a.request_id = $2 ORDER BY g.tag_name`,
);

export const LOCK_REQUEST = txStatement(
  { index: 'requests_pkey' },
  `SELECT date_created FROM traffic.requests
   WHERE company_id = $1 AND request_id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE`,
);
