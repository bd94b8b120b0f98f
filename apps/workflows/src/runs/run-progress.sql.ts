import { txStatement } from '@signalbox/database';

export const RESTART_RUN = txStatement(
  { index: 'runs_pkey' },
  'UPDATE workflows.runs SET attempts = $3 WHERE company_id = $1 AND id = $2',
);

export const COUNT_LOST_EXECUTION = txStatement(
  { index: 'runs_pkey' },
  `UPDATE workflows.runs SET lost_executions = lost_executions + 1 WHERE company_id = $1 AND id = $2
   RETURNING lost_executions`,
);

/** A run that has ended includes what those below it have used. */
export const ADD_USAGE_BELOW = txStatement(
  { index: ['runs_below', 'runs_pkey'] },
  `WITH RECURSIVE below AS (
     SELECT c.id, c.completed_at, c.prompt_tokens, c.completion_tokens, c.total_tokens, c.cost
     FROM workflows.runs c WHERE c.company_id = $1 AND c.parent_run_id = $2
     UNION ALL
     SELECT c.id, c.completed_at, c.prompt_tokens, c.completion_tokens, c.total_tokens, c.cost
     FROM below b JOIN workflows.runs c
       ON c.company_id = $1 AND c.parent_run_id = b.id AND b.completed_at IS NULL
   )
   UPDATE workflows.runs t SET prompt_tokens = t.prompt_tokens + c.prompt_tokens,
     completion_tokens = t.completion_tokens + c.completion_tokens, total_tokens = t.total_tokens + c.total_tokens,
     cost = CASE WHEN c.cost IS NULL THEN t.cost ELSE COALESCE(t.cost, 0) + c.cost END
   FROM (SELECT sum(prompt_tokens) AS prompt_tokens, sum(completion_tokens) AS completion_tokens,
       sum(total_tokens) AS total_tokens, sum(cost) AS cost FROM below HAVING count(*) > 0) c
   WHERE t.company_id = $1 AND t.id = $2`,
);
