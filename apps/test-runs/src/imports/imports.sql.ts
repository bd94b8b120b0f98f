import { readStatement, txStatement } from '@signalbox/database';

export const SOURCES_OF_SET = readStatement(
  { index: 'test_set_items_source' },
  `SELECT x.* FROM s, LATERAL (SELECT t.source_type, t.source_id FROM "test-runs".test_set_items t
   WHERE t.company_id = s.company AND t.test_set_id = $2 AND t.deleted_at IS NULL
     AND t.source_id = ANY ($3::text[]) OFFSET 0) x`,
);

export const SOURCES_OF_LOCKED_SET = txStatement(
  { index: 'test_set_items_source' },
  `SELECT source_type, source_id FROM "test-runs".test_set_items
   WHERE company_id = $1 AND test_set_id = $2 AND deleted_at IS NULL AND source_id = ANY ($3::text[])`,
);

export const ITEM_OF_SOURCE = txStatement(
  { index: 'test_set_items_source' },
  `SELECT id FROM "test-runs".test_set_items WHERE company_id = $1 AND test_set_id = $2
   AND source_type = $3 AND source_id = $4 AND deleted_at IS NULL`,
);
