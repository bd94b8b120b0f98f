import { readStatement, txStatement, NOW_MS } from '@signalbox/database';

const FAILED = `company_id = $1 AND run_id = $2 AND status = 'FAILED' AND failure_class = ANY ($3::text[])`;

export const SLICE = 100;

/** Of the input and the baseline. */
export const SOURCE_MD5 = (item: string): string =>
  `md5(${item}.input::text || COALESCE(${item}.expected_output::text, ''))`;

export const UNADAPTED_ITEMS = readStatement(
  { index: ['run_items_status', 'test_set_items_pkey'] },
  `SELECT x.* FROM s, LATERAL (SELECT i.id AS after, t.id, t.xmin::text AS version, t.input
   FROM "test-runs".run_items i JOIN "test-runs".test_set_items t
     ON t.company_id = i.company_id AND t.id = i.test_set_item_id AND t.deleted_at IS NULL
   WHERE i.company_id = s.company AND i.run_id = $2 AND i.status = 'FAILED' AND i.failure_class = 'adapter'
     AND i.adapted_input IS NULL AND i.id > $3 ORDER BY i.id LIMIT ${SLICE} OFFSET 0) x`,
);

export const STARTED_ITEM = txStatement(
  { index: 'run_items_status' },
  `SELECT 1 FROM "test-runs".run_items WHERE ${FAILED} AND call_id IS NOT NULL LIMIT 1`,
);

export const FAILED_ITEM = readStatement(
  { index: 'run_items_status' },
  `SELECT x.* FROM s, LATERAL (SELECT 1 AS found FROM "test-runs".run_items i WHERE i.company_id = s.company
   AND i.run_id = $2 AND i.status = 'FAILED' AND i.failure_class = ANY ($3::text[]) LIMIT 1 OFFSET 0) x`,
);

export const RETIRE_ATTEMPTS = txStatement(
  { index: ['run_attempts_current', 'run_items_status'] },
  `UPDATE "test-runs".run_attempts a SET is_current = false
   FROM (SELECT id, failure_class FROM "test-runs".run_items WHERE ${FAILED}) i
   WHERE a.company_id = $1 AND a.run_item_id = i.id AND a.is_current AND (a.status = 'FAILED' OR i.failure_class = 'judge')`,
);

export const RESET_ITEMS = txStatement(
  { index: 'run_items_status' },
  `UPDATE "test-runs".run_items SET status = 'PENDING', failure_class = NULL, error_code = NULL, error_message = NULL,
     matched = NULL, agreement = NULL, score_id = NULL, scored_at = NULL, completed_at = NULL, started_at = NULL,
     date_updated = ${NOW_MS}
   WHERE ${FAILED} RETURNING id, adapted_input IS NOT NULL AS adapted`,
);

export const ITEMS_TO_ADAPT = txStatement(
  { index: ['run_items_pkey', 'test_set_items_pkey'] },
  `SELECT i.id, s.id AS source, s.xmin::text AS version, s.input, s.expected_output::text AS baseline, ${SOURCE_MD5('s')} AS source_md5
   FROM "test-runs".run_items i
   LEFT JOIN "test-runs".test_set_items s ON s.company_id = i.company_id AND s.id = i.test_set_item_id AND s.deleted_at IS NULL
   WHERE i.company_id = $1 AND i.id = ANY ($2::int[])`,
);

/** The item of the run is of its source as it is now, unless that was deleted. */
export const STORE_ADAPTATIONS = txStatement(
  { index: 'run_items_pkey' },
  `UPDATE "test-runs".run_items i SET adapted_input = u.adapted::json, error_message = u.problem,
     baseline = CASE WHEN u.source_md5 IS NULL THEN i.baseline ELSE u.baseline::json END,
     source_md5 = COALESCE(u.source_md5, i.source_md5),
     status = CASE WHEN u.problem IS NULL THEN 'PENDING' ELSE 'FAILED' END,
     failure_class = CASE WHEN u.problem IS NOT NULL THEN 'adapter' END,
     completed_at = CASE WHEN u.problem IS NOT NULL THEN ${NOW_MS} END
   FROM unnest($2::int[], $3::text[], $4::text[], $5::text[], $6::text[]) u(id, adapted, problem, baseline, source_md5)
   WHERE i.company_id = $1 AND i.id = u.id`,
);
