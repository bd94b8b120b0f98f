import { readStatement, txStatement, NOW_MS } from '@signalbox/database';
import { RUN_COLUMNS, runTotals } from '../run-records/index.js';

const SCORING = `(SELECT json_build_object('status', c.status, 'is_partial', c.is_partial) FROM "test-runs".scorings c
  WHERE c.company_id = t.company_id AND c.run_id = t.id AND c.criteria_key = '')`;

const OPEN = `(SELECT count(*)::int FROM "test-runs".run_items i
  WHERE i.company_id = t.company_id AND i.run_id = t.id AND i.status IN ('PENDING', 'RUNNING'))`;

export const CONDUCTED_RUN = readStatement(
  { index: ['run_items_status', 'runs_pkey', 'scorings_of_run'] },
  `SELECT x.* FROM s, LATERAL (SELECT ${RUN_COLUMNS}, ${OPEN} AS open_items, ${SCORING} AS scoring FROM "test-runs".runs t
   WHERE t.company_id = s.company AND t.id = $2 OFFSET 0) x`,
);

export const NOTE_RUN_OF_SET = txStatement(
  { index: 'test_sets_pkey' },
  `UPDATE "test-runs".test_sets SET last_run_at = ${NOW_MS} WHERE company_id = $1 AND id = $2`,
);

export const DELETE_OWN_SCORING = txStatement(
  { index: 'scorings_of_run' },
  `DELETE FROM "test-runs".scorings WHERE company_id = $1 AND run_id = $2 AND criteria_key = ''`,
);

export const FAIL_ITEMS = txStatement(
  { index: 'run_items_status' },
  `UPDATE "test-runs".run_items SET status = 'FAILED', failure_class = $3, error_code = $4, error_message = $5,
     lane = NULL, completed_at = ${NOW_MS}, date_updated = ${NOW_MS}
   WHERE company_id = $1 AND run_id = $2 AND status IN ('PENDING', 'RUNNING') RETURNING call_id`,
);

export const CANCELLED_ITEM = txStatement(
  { index: 'run_items_status' },
  `SELECT 1 FROM "test-runs".run_items
   WHERE company_id = $1 AND run_id = $2 AND status = 'FAILED' AND error_code = $3 LIMIT 1`,
);

export const DROP_SECRETS = txStatement(
  { index: 'runs_pkey' },
  `UPDATE "test-runs".runs SET has_secrets = false, work_kind = $3 WHERE company_id = $1 AND id = $2`,
);

export const COUNT_ITEMS = txStatement(
  { index: ['run_attempts_of_run', 'run_items_of_run'] },
  `SELECT count(*) FILTER (WHERE status IN ('PENDING', 'RUNNING'))::int AS open,
     count(*) FILTER (WHERE status = 'COMPLETED')::int AS completed, count(*) FILTER (WHERE status = 'FAILED')::int AS failed,
     (SELECT ${runTotals('r')} FROM (SELECT $1::int AS company_id, $2::uuid AS id) r) AS totals
   FROM "test-runs".run_items WHERE company_id = $1 AND run_id = $2`,
);

export const PENDING_ITEMS = txStatement(
  { index: 'run_items_status' },
  `SELECT 1 FROM "test-runs".run_items WHERE company_id = $1 AND run_id = $2 AND status = 'PENDING' LIMIT $3`,
);
