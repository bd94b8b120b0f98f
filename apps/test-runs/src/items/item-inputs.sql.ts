import { readStatement } from '@signalbox/database';

const PAGE_ITEMS = 2000;

/** Bytes of the inputs of a page; only its first item may be larger. */
const PAGE_BYTES = 8_388_608;

export const PAGE_OF_INPUTS = readStatement(
  { index: 'test_set_items_pkey' },
  `SELECT x.* FROM s, LATERAL (SELECT t.id, t.input FROM (
     SELECT i.id, i.input, sum(i.body_bytes) OVER (ORDER BY i.id) - i.body_bytes AS before FROM (
       SELECT * FROM "test-runs".test_set_items WHERE company_id = s.company AND test_set_id = $2
         AND id > $3 AND deleted_at IS NULL ORDER BY id LIMIT ${PAGE_ITEMS}) i) t
   WHERE t.before < ${PAGE_BYTES} ORDER BY t.id OFFSET 0) x`,
);
