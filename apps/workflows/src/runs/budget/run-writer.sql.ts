import { txStatement, NOW_MS } from '@signalbox/database';

export const INSERT_RESULT = txStatement(
  { index: null },
  `INSERT INTO workflows.run_results (company_id, run_id, kind, name, result, date_created)
   VALUES ($1, $2, $3, $4, $5, ${NOW_MS}) ON CONFLICT DO NOTHING RETURNING 1`,
);

export const FIND_RESULT = txStatement(
  { index: 'run_results_pkey' },
  `SELECT result FROM workflows.run_results WHERE company_id = $1 AND run_id = $2 AND kind = $3 AND name = $4`,
);

export const ADD_USAGE = txStatement(
  { index: 'runs_pkey' },
  `UPDATE workflows.runs SET prompt_tokens = prompt_tokens + $3, completion_tokens = completion_tokens + $4,
     total_tokens = total_tokens + $5, cost = CASE WHEN $6::float8 IS NULL THEN cost ELSE COALESCE(cost, 0) + $6 END
   WHERE company_id = $1 AND id = $2`,
);
