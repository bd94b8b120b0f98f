import { txStatement, readStatement, NOW_MS } from '@signalbox/database';

/** Rows that a model is asked about at once. */
const BATCH = 8;

export const NEXT_ROWS = readStatement(
  { index: 'dataset_requests_of_dataset' },
  `SELECT x.* FROM s, LATERAL (SELECT t.id, t.messages, t.response, t.tools FROM training.dataset_requests t
   WHERE t.company_id = s.company AND t.dataset_id = $2 AND t.id > $3 AND t.id <= $4 AND t.deleted_at IS NULL
   ORDER BY t.id LIMIT ${BATCH} OFFSET 0) x`,
);

export const STORE_REASONING = txStatement(
  { index: 'dataset_requests_pkey' },
  `UPDATE training.dataset_requests t SET reasoning = r.reasoning, date_updated = ${NOW_MS}
   FROM jsonb_to_recordset($3::jsonb) r(id int, reasoning jsonb)
   WHERE t.company_id = $1 AND t.dataset_id = $2 AND t.id = r.id AND t.deleted_at IS NULL RETURNING t.id`,
);

export const STORE_PROGRESS = txStatement(
  { index: 'augmentations_pkey' },
  `UPDATE training.augmentations SET cursor = $3, produced = produced + $4, failed = failed + $5,
   last_error = COALESCE($6, last_error) WHERE company_id = $1 AND id = $2`,
);
