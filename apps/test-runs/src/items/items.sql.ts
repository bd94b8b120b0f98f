import { NOW_MS, txStatement } from '@signalbox/database';
import { RECORD_COLUMNS } from '../sets/index.js';

export const INSERT_ITEMS = txStatement(
  { index: null },
  `INSERT INTO "test-runs".test_set_items (company_id, test_set_id, position, source_type, source_id, flatten_variant,
     intent_group_id, input, expected_output, baseline_hash, meta, body_bytes, file_source)
   SELECT $1, $2, $3 + e.n - 1, e.item->>'source_type', e.item->>'source_id', e.item->>'flatten_variant',
     (e.item->>'intent_group_id')::int, e.item->'input', e.item->'expected_output', e.item->>'baseline_hash',
     (e.item->'meta')::jsonb, (e.item->>'body_bytes')::int, (e.item->'file_source')::jsonb
   FROM json_array_elements($4::json) WITH ORDINALITY e(item, n) ORDER BY e.n
   RETURNING ${RECORD_COLUMNS.join(', ')}`,
);

export const DELETE_ITEM = txStatement(
  { index: 'test_set_items_pkey' },
  `UPDATE "test-runs".test_set_items SET deleted_at = ${NOW_MS} WHERE company_id = $1 AND id = $2`,
);

export const INSERT_OVERRIDE = txStatement(
  { index: null },
  `INSERT INTO "test-runs".response_subs (company_id, item_id, expected_output, note, author_key_id)
   VALUES ($1, $2, $3::json, $4, $5) RETURNING id`,
);

export const RETIRE_OVERRIDE = txStatement(
  { index: 'response_subs_pkey' },
  `UPDATE "test-runs".response_subs SET deleted_at = ${NOW_MS} WHERE company_id = $1 AND id = $2`,
);
