import { txStatement, composed } from '@signalbox/database';

export const STORE_ROUTING = txStatement(
  { index: 'tasks_pkey' },
  'UPDATE agents.tasks SET routing = $3 WHERE company_id = $1 AND id = $2',
);

export const STORE_CALLING_STEP = txStatement(
  { index: 'tasks_pkey' },
  'UPDATE agents.tasks SET calling_step = $3 WHERE company_id = $1 AND id = $2',
);

export const END_STEP = txStatement(
  { index: 'task_steps_pkey' },
  `UPDATE agents.task_steps SET status = $4, result = $5, duration_ms = $6
   WHERE company_id = $1 AND task_id = $2 AND step_no = $3 AND status = 'PENDING' RETURNING 1 AS done`,
);

export const INSERT_STEP = composed(
  (at: number) =>
    txStatement(
      { index: null },
      `INSERT INTO agents.task_steps (company_id, task_id, step_no, kind, status, request, result, duration_ms)
    VALUES ($1, $2, ${[0, 1, 2, 3, 4, 5].map((nth) => `$${at + nth}`).join(', ')})`,
    ),
  [3],
);
