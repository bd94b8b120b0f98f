import { readStatement } from '@signalbox/database';

const newestWhere = (consumer: string): string =>
  `SELECT x.* FROM s, LATERAL (SELECT t.no::int FROM "test-runs".runs t WHERE t.company_id = s.company
   AND t.consumer_kind = $2 AND ${consumer} AND t.test_set_id = $3 AND t.no < $4 AND t.status = 'COMPLETED'
   AND t.scored_at IS NOT NULL AND t.cancelled_at IS NULL ORDER BY t.no DESC LIMIT 1 OFFSET 0) x`;

export const NEWEST_BASELINE = readStatement({ index: 'runs_of_consumer' }, newestWhere('t.consumer_id = $5'));

/** For programs that are not agents: an index does not serve `IS NOT DISTINCT FROM`. */
export const NEWEST_BASELINE_WITHOUT_CONSUMER = readStatement(
  { index: 'runs_of_consumer' },
  newestWhere('t.consumer_id IS NULL'),
);
