import { txStatement, readStatement, fieldsSql, NOW_MS } from '@signalbox/database';
import { addedView } from './dataset-request-views.sql.js';

export const REQUEST_IDS_OF_DATASET = readStatement(
  { index: 'dataset_requests_of_dataset' },
  `SELECT x.* FROM s, LATERAL (SELECT t.request_id FROM training.dataset_requests t WHERE t.company_id = s.company
   AND t.dataset_id = $2 AND t.request_id IS NOT NULL AND t.deleted_at IS NULL OFFSET 0) x`,
);

export const IDS_OF_REQUESTS = txStatement(
  { index: 'dataset_requests_of_dataset' },
  `SELECT request_id, id FROM training.dataset_requests WHERE company_id = $1 AND dataset_id = $2
   AND request_id = ANY ($3::uuid[]) AND deleted_at IS NULL`,
);

export const INSERT_ROWS = txStatement(
  { index: null },
  `INSERT INTO training.dataset_requests (company_id, dataset_id, request_id, source, is_corrected, messages, response,
     tools, meta, input_hash, body_bytes)
   SELECT $1, $2, (e.r->>'request_id')::uuid, e.r->>'source', COALESCE((e.r->>'is_corrected')::boolean, false),
     e.r->'messages', e.r->'response', CASE WHEN json_typeof(e.r->'tools') = 'array' THEN e.r->'tools' END,
     COALESCE((e.r->'meta')::jsonb, '{}'), e.r->>'input_hash', (e.r->>'body_bytes')::int
   FROM json_array_elements($3::json) WITH ORDINALITY e(r, n) ORDER BY e.n RETURNING id`,
);

export const ADDED_ROWS = txStatement(
  { index: 'dataset_requests_pkey' },
  `SELECT row_to_json(f) AS row FROM unnest($2::int[]) WITH ORDINALITY g(id, n)
   CROSS JOIN LATERAL (SELECT ${fieldsSql(addedView, true)} FROM ${addedView.table} t
     WHERE t.company_id = $1 AND t.id = g.id) f ORDER BY g.n`,
);

/** Null for what stays as it is stored: whoever read it to write it again would change the order of its keys. */
export const EDIT_ROW = txStatement(
  { index: 'dataset_requests_pkey' },
  `UPDATE training.dataset_requests SET messages = COALESCE($3, messages), response = COALESCE($4, response),
   meta = COALESCE($5, meta), input_hash = COALESCE($6, input_hash),
   body_bytes = COALESCE($7, body_bytes), date_updated = ${NOW_MS} WHERE company_id = $1 AND id = $2`,
);

export const DELETE_ROW = txStatement(
  { index: 'dataset_requests_pkey' },
  `UPDATE training.dataset_requests SET deleted_at = ${NOW_MS} WHERE company_id = $1 AND id = $2`,
);
