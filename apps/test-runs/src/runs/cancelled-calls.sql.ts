import { readStatement, txStatement } from '@signalbox/database';

export const STARTED_CALLS = readStatement(
  { index: ['run_items_status', 'runs_pkey'] },
  `SELECT x.* FROM s, LATERAL (SELECT i.id, i.call_id, COALESCE(r.cancelled_at, i.completed_at) AS cancelled_at
   FROM "test-runs".run_items i JOIN "test-runs".runs r ON r.company_id = i.company_id AND r.id = i.run_id
   WHERE i.company_id = s.company AND i.run_id = $2 AND i.status = 'FAILED' AND i.call_id IS NOT NULL ORDER BY i.id OFFSET 0) x`,
);

export const FORGET_CALLS = txStatement(
  { index: 'run_items_pkey' },
  `UPDATE "test-runs".run_items SET call_id = NULL WHERE company_id = $1 AND id = ANY ($2::int[]) AND status = 'FAILED'`,
);
