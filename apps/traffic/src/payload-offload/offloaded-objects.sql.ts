import { composed, readStatement, txStatement, workerStatement } from '@signalbox/database';
import { type Part, PARTS } from '../request-records/index.js';

export const UNREFERENCED = `SELECT k AS key FROM unnest($2::text[]) k WHERE NOT EXISTS (
  SELECT 1 FROM traffic.request_objects o JOIN traffic.requests r
    ON r.company_id = o.company_id AND r.request_id = o.request_id AND r.date_created = o.date_created
  WHERE o.company_id = $1 AND o.object_key = k)`;

export const PARTS_OF_REQUEST = readStatement(
  { index: 'requests_pkey' },
  `SELECT x.* FROM s, LATERAL (SELECT t.date_created, ${PARTS.map((part) => `t.${part}::text`).join(', ')}
   FROM traffic.requests t WHERE t.company_id = s.company AND t.request_id = $2 OFFSET 0) x`,
);

const HASHES = PARTS.map((part) => `encode(sha256(convert_to(t.${part}::text, 'UTF8')), 'hex') AS ${part}`).join(', ');

export const LOCK_HASHES = txStatement(
  { index: 'requests_pkey' },
  `SELECT ${HASHES} FROM traffic.requests t
   WHERE t.company_id = $1 AND t.request_id = $2 FOR NO KEY UPDATE`,
);

export const SET_OFFLOADED = composed(
  (parts: readonly Part[]) =>
    txStatement(
      { index: 'requests_pkey' },
      `UPDATE traffic.requests SET objects = COALESCE(objects, '{}') || $4::jsonb,
         ${parts.map((part, at) => `${part} = $${at + 5}::jsonb`).join(', ')}
       WHERE company_id = $1 AND request_id = $2 AND date_created = $3`,
    ),
  ...PARTS.map((part): [readonly Part[]] => [[part]]),
  [PARTS],
);

export const INSERT_REFERENCES = txStatement(
  { index: null },
  `INSERT INTO traffic.request_objects (company_id, request_id, date_created, object_key, part)
   SELECT $1, $2, $3, u.key, u.part FROM unnest($4::text[], $5::text[]) u(key, part) ON CONFLICT DO NOTHING`,
);

export const DELETE_REFERENCES = txStatement(
  { index: 'request_objects_request' },
  `DELETE FROM traffic.request_objects WHERE company_id = $1 AND request_id = ANY($2::uuid[])
   AND ($3::text IS NULL OR part = $3) RETURNING object_key`,
);

/** Of requests that went with their partition. The scalar leaves the planner only the primary key of requests. */
export const FORGET_DROPPED = txStatement(
  { index: ['request_objects_pkey', 'requests_pkey'] },
  `DELETE FROM traffic.request_objects o WHERE o.company_id = $1 AND o.object_key = ANY ($2::text[])
   AND (SELECT r.request_id FROM traffic.requests r WHERE r.company_id = o.company_id
     AND r.request_id = o.request_id AND r.date_created = o.date_created LIMIT 1) IS NULL`,
);

export const KEYS_OF_REQUESTS = readStatement(
  { index: 'requests_pkey' },
  `SELECT x.* FROM s, LATERAL (SELECT t.request_id, t.objects FROM traffic.requests t
   WHERE t.company_id = s.company AND t.request_id = ANY($2::uuid[]) AND t.objects IS NOT NULL OFFSET 0) x`,
);

export const BEGIN_SWEEP = workerStatement(
  { index: null },
  'UPDATE traffic.object_sweep SET began_at = $2 WHERE began_at <= $1 RETURNING 1',
);
