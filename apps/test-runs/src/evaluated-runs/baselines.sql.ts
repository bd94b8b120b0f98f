import { readStatement } from '@signalbox/database';

export const NEWEST_BASELINE = readStatement(
  { index: 'runs_of_consumer' },
  `SELECT x.* FROM s, LATERAL (SELECT t.no::int FROM "test-runs".runs t WHERE t.company_id = s.company
   AND t.consumer_kind = $2 AND t.consumer_id = $3 AND t.test_set_id = $4 AND t.no < $5 AND t.status = 'COMPLETED'
   AND t.scored_at IS NOT NULL AND t.cancelled_at IS NULL ORDER BY t.no DESC LIMIT 1 OFFSET 0) x`,
);
