import { txStatement, NOW_MS, readStatement } from '@signalbox/database';
import { SOURCE_MD5 } from '../run-items/index.js';

/** Items per read and write, and the bytes of their bodies. */
const SLICE = 500;

const SLICE_BYTES = 8_388_608;

const slice = (company: string): string =>
  `SELECT id, position, version, input FROM (
   SELECT id, position, version, input, body_bytes, sum(body_bytes) OVER (ORDER BY position) AS total FROM (
     SELECT id, position, xmin::text AS version, input, body_bytes FROM "test-runs".test_set_items
     WHERE company_id = ${company} AND test_set_id = $2 AND deleted_at IS NULL AND position > $3
     ORDER BY position LIMIT ${SLICE}) c) s
 WHERE total - body_bytes < ${SLICE_BYTES} ORDER BY position`;

export const ITEMS_TO_CHECK = readStatement(
  { index: 'test_set_items_position' },
  `SELECT x.* FROM s, LATERAL (${slice('s.company')} OFFSET 0) x`,
);

export const ITEMS_TO_PREPARE = txStatement({ index: 'test_set_items_position' }, slice('$1'));

export const INSERT_ITEMS = txStatement(
  { index: 'test_set_items_pkey' },
  `INSERT INTO "test-runs".run_items (company_id, run_id, test_set_item_id, position, baseline, source_md5, adapted_input, error_message,
     status, failure_class, completed_at)
   SELECT $1, $2, s.id, s.position, s.expected_output, ${SOURCE_MD5('s')}, u.adapted::json, u.problem,
     CASE WHEN u.problem IS NULL THEN 'PENDING' ELSE 'FAILED' END,
     CASE WHEN u.problem IS NOT NULL THEN 'adapter' END, CASE WHEN u.problem IS NOT NULL THEN ${NOW_MS} END
   FROM unnest($3::int[], $4::text[], $5::text[]) WITH ORDINALITY u(id, adapted, problem, n)
   JOIN "test-runs".test_set_items s ON s.company_id = $1 AND s.id = u.id ORDER BY u.n`,
);
