import { txStatement } from '@signalbox/database';

export const SOURCES_OF_SET = txStatement(
  { index: ['test_set_items_file_source', 'test_set_items_source'] },
  `SELECT source_type, source_id FROM "test-runs".test_set_items
   WHERE company_id = $1 AND test_set_id = $2 AND source_id = ANY ($3::text[]) AND deleted_at IS NULL
   UNION ALL SELECT file_source->>'source_type', file_source->>'source_id' FROM "test-runs".test_set_items
   WHERE company_id = $1 AND test_set_id = $2 AND file_source->>'source_id' = ANY ($3::text[]) AND file_source IS NOT NULL
     AND deleted_at IS NULL`,
);

export const OVERRIDE_ITEMS = txStatement(
  { index: 'test_set_items_pkey' },
  `WITH added AS (
     INSERT INTO "test-runs".response_subs (company_id, item_id, expected_output, note, author_key_id)
     SELECT $1, (e->>'item_id')::int, e->'expected_output', e->>'note', $3 FROM json_array_elements($2::json) e
     RETURNING id, item_id)
   UPDATE "test-runs".test_set_items t SET response_sub_id = added.id FROM added
   WHERE t.company_id = $1 AND t.id = added.item_id`,
);
