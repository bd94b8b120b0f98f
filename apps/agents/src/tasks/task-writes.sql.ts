import { txStatement, composed } from '@signalbox/database';

export const STORE_ROUTING = txStatement(
  { index: 'tasks_pkey' },
  'UPDATE agents.tasks SET routing = $3 WHERE company_id = $1 AND id = $2 AND routing IS NULL RETURNING 1 AS stored',
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

/** The ended tasks above an ended one have counted what it used when they recorded its answer, or were cancelled. */
export const ADD_USAGE_ABOVE = txStatement(
  { index: ['tasks_pkey', 'task_steps_pkey'] },
  `WITH RECURSIVE above AS (
     SELECT t.id, t.parent_task_id, t.parent_step, t.completed_at FROM agents.tasks t WHERE t.company_id = $1 AND t.id = $2
     UNION ALL
     SELECT p.id, p.parent_task_id, p.parent_step, p.completed_at FROM above a JOIN agents.tasks p
       ON p.company_id = $1 AND p.id = a.parent_task_id AND a.completed_at IS NOT NULL
         AND (p.completed_at IS NOT NULL OR EXISTS (SELECT FROM agents.task_steps s
           WHERE s.company_id = $1 AND s.task_id = p.id AND s.step_no = a.parent_step))
   )
   UPDATE agents.tasks t SET prompt_tokens = t.prompt_tokens + $3, completion_tokens = t.completion_tokens + $4,
     total_tokens = t.total_tokens + $5, cost = CASE WHEN $6::float8 IS NULL THEN t.cost ELSE COALESCE(t.cost, 0) + $6 END
   FROM above a WHERE t.company_id = $1 AND t.id = a.id AND t.id <> $2`,
);

const USED = 'c.id, c.completed_at, c.prompt_tokens, c.completion_tokens, c.total_tokens, c.cost';
/** SQL over `c`, the task of a sub-agent: its parent has recorded its answer, and with it what it has used. */
const IS_COUNTED = `EXISTS (SELECT FROM agents.task_steps p
  WHERE p.company_id = $1 AND p.task_id = c.parent_task_id AND p.step_no = c.parent_step)`;

/** Of the sub-agents whose answers the task has not recorded. */
export const USAGE_BELOW = txStatement(
  { index: ['tasks_child', 'task_steps_pkey'] },
  `WITH RECURSIVE below AS (
     SELECT ${USED} FROM agents.tasks c WHERE c.company_id = $1 AND c.parent_task_id = $2 AND NOT ${IS_COUNTED}
     UNION ALL
     SELECT ${USED} FROM below b JOIN agents.tasks c
       ON c.company_id = $1 AND c.parent_task_id = b.id AND b.completed_at IS NULL AND NOT ${IS_COUNTED}
   ) SELECT sum(prompt_tokens)::float8 AS prompt_tokens, sum(completion_tokens)::float8 AS completion_tokens,
     sum(total_tokens)::float8 AS total_tokens, sum(cost) AS cost FROM below HAVING count(*) > 0`,
);

export const ADD_USAGE = txStatement(
  { index: 'tasks_pkey' },
  `UPDATE agents.tasks SET prompt_tokens = prompt_tokens + $3, completion_tokens = completion_tokens + $4,
     total_tokens = total_tokens + $5, cost = CASE WHEN $6::float8 IS NULL THEN cost ELSE COALESCE(cost, 0) + $6 END
   WHERE company_id = $1 AND id = $2`,
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
