import { composed, readStatement, txStatement } from '@signalbox/database';
import type { EvaluationCounts } from './evaluation-run.js';

export const COUNTS = [
  'evaluated_requests',
  'pass_count',
  'fault_count',
  'na_count',
  'error_count',
  'judgements',
  'errors_by_class',
  'cost',
] as const satisfies (keyof EvaluationCounts)[];

export const BEGIN_RUN = txStatement(
  { index: 'evaluation_runs_pkey' },
  'UPDATE traffic.evaluation_runs SET total_requests = $3, cursor = $4, upto = $5 WHERE company_id = $1 AND id = $2',
);

export const FAILED_RESULTS = composed(
  (limit: number) =>
    readStatement(
      { index: 'evaluation_results_run' },
      `SELECT x.* FROM s, LATERAL (SELECT t.id, t.request_id, t.request_date, t.sentinel_id
       FROM traffic.evaluation_results t WHERE t.company_id = s.company AND t.evaluation_id = $2 AND t.status = 'ERROR'
         AND ($3::text[] IS NULL OR t.failure_class = ANY ($3)) AND t.id > $4::bigint AND t.id <= $5::bigint
       ORDER BY t.id LIMIT ${limit}) x ORDER BY x.id`,
    ),
  [20],
);

export const SET_COUNTS = txStatement(
  { index: 'evaluation_runs_pkey' },
  `UPDATE traffic.evaluation_runs SET ${COUNTS.map((name, at) => `${name} = $${at + 6}`).join(', ')},
     cursor = COALESCE($3::bigint, cursor), reset_cursor = COALESCE($4::bigint, reset_cursor),
     last_error = COALESCE($5, last_error)
   WHERE company_id = $1 AND id = $2`,
);

export const COUNT_RESULTS = txStatement(
  { index: 'evaluation_results_run' },
  `WITH r AS (SELECT bool_or(status = 'FAULT') AS fault, bool_or(status = 'ERROR') AS error, bool_or(status = 'PASS') AS pass,
       count(*) AS judgements
     FROM traffic.evaluation_results WHERE company_id = $1 AND evaluation_id = $2 GROUP BY evaluation_request_id),
   e AS (SELECT failure_class, count(*)::int AS n FROM traffic.evaluation_results
     WHERE company_id = $1 AND evaluation_id = $2 AND status = 'ERROR' GROUP BY failure_class)
   SELECT count(*) FILTER (WHERE fault)::int AS fault_count,
     count(*) FILTER (WHERE NOT fault AND error)::int AS error_count,
     count(*) FILTER (WHERE NOT fault AND NOT error AND pass)::int AS pass_count,
     count(*) FILTER (WHERE NOT fault AND NOT error AND NOT pass)::int AS na_count,
     COALESCE(sum(judgements), 0)::int AS judgements,
     COALESCE((SELECT jsonb_object_agg(failure_class, n) FROM e), '{}') AS errors_by_class
   FROM r`,
);
