import { txStatement } from '@signalbox/database';
import { openRuns } from '@signalbox/runs';
import { STORED_TASKS } from './task-runs.sql.js';

export const TASKS_OF_RUN = txStatement(
  { index: 'tasks_open_called' },
  `SELECT 1 AS open FROM agents.tasks WHERE company_id = $1 AND called_by = $2
   AND completed_at IS NULL AND parent_task_id IS NULL LIMIT 1`,
);

export const OPEN_OF_AGENT = openRuns(
  STORED_TASKS.tables,
  { index: 'tasks_open' },
  't.agent_id = $2 AND t.parent_task_id IS NULL',
);

export const OPEN_OF_RUN = openRuns(
  STORED_TASKS.tables,
  { index: 'tasks_open_called' },
  't.called_by = $2 AND t.parent_task_id IS NULL',
);
