import { txStatement } from '@signalbox/database';

export const TASKS_OF_RUN = txStatement(
  { index: 'tasks_open' },
  `SELECT 1 AS open FROM agents.tasks WHERE company_id = $1 AND called_by = $2
   AND completed_at IS NULL AND parent_task_id IS NULL LIMIT 1`,
);
