import { txStatement } from '@signalbox/database';

export const RUNS_OF_TASK = txStatement(
  { index: 'runs_open' },
  `SELECT 1 AS open FROM workflows.runs WHERE company_id = $1 AND called_by = $2 AND completed_at IS NULL LIMIT 1`,
);
