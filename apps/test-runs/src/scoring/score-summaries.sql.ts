import { txStatement, NOW_MS, composed } from '@signalbox/database';
import { TEST_RUNS, TOTAL_FIELDS } from '../run-records/index.js';

const OWN = `SELECT i.company_id, i.id, i.status, i.failure_class, i.matched, i.score_id FROM "test-runs".run_items i
  WHERE i.company_id = $1 AND i.run_id = $2`;

/** With their newest scores by other criteria. */
const OTHERS = `SELECT i.company_id, i.id, c.matched, c.id AS score_id,
    CASE WHEN c.failure_class IS NOT NULL THEN 'FAILED' WHEN i.failure_class = 'judge' THEN 'COMPLETED' ELSE i.status END AS status,
    COALESCE(c.failure_class, CASE WHEN i.failure_class NOT IN ('judge', 'quality') THEN i.failure_class END) AS failure_class
  FROM "test-runs".run_items i LEFT JOIN LATERAL (SELECT c.id, c.matched, c.failure_class FROM "test-runs".run_scores c
    WHERE c.company_id = i.company_id AND c.run_item_id = i.id AND c.scoring_id = $3 AND c.attempt = i.attempts
    ORDER BY c.id DESC LIMIT 1) c ON true
  WHERE i.company_id = $1 AND i.run_id = $2`;

const ITEMS = { own: OWN, other: OTHERS } as const;

export type SummedScores = keyof typeof ITEMS;

export const COUNT_BY_STATE = composed(
  (scores: SummedScores) =>
    txStatement(
      { index: scores === 'own' ? 'run_items_of_run' : ['run_items_of_run', 'run_scores_of_item'] },
      `SELECT status, matched, failure_class, count(*)::int AS n FROM (${ITEMS[scores]}) i
       GROUP BY status, matched, failure_class ORDER BY failure_class`,
    ),
  ['own'],
  ['other'],
);

export const SUM_BY_CRITERION = composed(
  (scores: SummedScores) =>
    txStatement(
      {
        index: [
          'evaluation_criteria_pkey',
          'run_items_of_run',
          'run_scores_pkey',
          ...(scores === 'own' ? [] : ['run_scores_of_item']),
        ],
      },
      `SELECT r.criteria_id, max(r.name) AS name, avg(r.score) AS avg_score, avg(r.passed)::float8 AS pass_rate,
        sum(r.errors)::int AS errors, sum(r.weight) FILTER (WHERE r.score IS NOT NULL) AS weight_sum,
        sum(r.weight * CASE e.criteria_type WHEN 'NUMERIC' THEN (r.score - 1) / 4 ELSE r.score END) AS weighted
      FROM (${ITEMS[scores]}) i
      JOIN "test-runs".run_scores s ON s.company_id = i.company_id AND s.id = i.score_id
      CROSS JOIN LATERAL (
        SELECT p.criteria_id, max(p.name) AS name, avg(p.score) AS score, max(p.weight) AS weight,
          avg(CASE WHEN p.passed THEN 1.0 WHEN NOT p.passed THEN 0.0 END) AS passed,
          count(*) FILTER (WHERE p.failure_class IS NOT NULL) AS errors
        FROM json_array_elements(COALESCE(s.repeats_results, json_build_array(s.criteria_results))) repeat(results),
          json_to_recordset(repeat.results)
            p(criteria_id int, name text, score float8, passed boolean, failure_class text, weight float8)
        GROUP BY p.criteria_id) r
      JOIN "test-runs".evaluation_criteria e ON e.company_id = i.company_id AND e.id = r.criteria_id
      WHERE r.criteria_id = ANY ($${scores === 'own' ? 3 : 4}::int[])
      GROUP BY r.criteria_id ORDER BY r.criteria_id`,
    ),
  ['own'],
  ['other'],
);

export const TOTALS_OF_RUN = txStatement(
  { index: ['run_attempts_of_run', 'runs_pkey'] },
  `SELECT ${Object.entries(TOTAL_FIELDS)
    .map(([name, sql]) => `${sql} AS ${name}`)
    .join(', ')} FROM "test-runs".runs t WHERE t.company_id = $1 AND t.id = $2`,
);

export const STORE_SUMMARY = txStatement(
  { index: ['run_items_status', 'runs_pkey'] },
  `UPDATE "test-runs".runs t SET matched_items = $3, match_rate = $4, scored_at = ${NOW_MS}, date_updated = ${NOW_MS},
     completed_items = CASE WHEN t.status = 'COMPLETED' THEN $5 ELSE t.completed_items END,
     failed_items = CASE WHEN t.status = 'COMPLETED' THEN $6 ELSE t.failed_items END, scored_with = $7
   WHERE t.company_id = $1 AND t.id = $2 RETURNING ${TEST_RUNS.record}`,
);
