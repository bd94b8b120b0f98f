import { readStatement } from '@signalbox/database';

export const INPUT_OF_ITEM = readStatement(
  { index: 'test_set_items_pkey' },
  `SELECT x.* FROM s, LATERAL (SELECT t.input FROM "test-runs".test_set_items t
   WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL OFFSET 0) x`,
);
