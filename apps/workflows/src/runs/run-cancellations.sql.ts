import { txStatement } from '@signalbox/database';
import { openRuns } from '@signalbox/runs';
import { STORED_RUNS } from './workflow-runs.sql.js';

export const RUNS_OF_TASK = txStatement(
  { index: 'runs_open_called' },
  `SELECT 1 AS open FROM workflows.runs WHERE company_id = $1 AND called_by = $2 AND completed_at IS NULL LIMIT 1`,
);

export const OPEN_OF_WORKFLOW = openRuns(STORED_RUNS.tables, { index: 'runs_open' }, 't.workflow_id = $2');

export const OPEN_OF_TASK = openRuns(STORED_RUNS.tables, { index: 'runs_open_called' }, 't.called_by = $2');
