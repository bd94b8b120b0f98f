import { txStatement } from '@signalbox/database';

export const OPEN_RUNS_OF_SET = txStatement(
  { index: 'runs_of_set' },
  `SELECT no FROM "test-runs".runs WHERE company_id = $1 AND test_set_id = $2 AND status <> 'COMPLETED' ORDER BY no LIMIT $3`,
);
