import { txStatement } from '@signalbox/database';

export const SETS_WITH_CRITERION = txStatement(
  { index: 'test_sets_pkey' },
  `SELECT id FROM "test-runs".test_sets
   WHERE company_id = $1 AND criteria_ids @> to_jsonb($2::int) AND deleted_at IS NULL ORDER BY id LIMIT $3`,
);

export const RUNS_WITH_CRITERION = txStatement(
  { index: 'runs_no' },
  `SELECT no AS id FROM "test-runs".runs WHERE company_id = $1 AND criteria_ids @> ARRAY[$2::int] ORDER BY no LIMIT $3`,
);
