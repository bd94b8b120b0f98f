import { readStatement, composed } from '@signalbox/database';
import { itemUsage, TOTAL_FIELDS, ITEM_OUTCOME } from '../run-records/index.js';
import type { InputOf, testRuns } from '@signalbox/contracts';

export type Query = Pick<InputOf<typeof testRuns.endpoints.compareTestRuns>, 'offset' | 'limit' | 'direction'>;

const TOTALS = Object.entries(TOTAL_FIELDS)
  .map(([name, sql]) => `${sql} AS ${name}`)
  .join(', ');

/** Relative to the first run. Only verdicts are better or worse than each other; an error is neither. */
const DIRECTIONS: Readonly<Record<NonNullable<Query['direction']>, string>> = {
  worse: 'first_passed AND later_failed',
  better: 'first_failed AND later_passed',
  error: 'has_error',
  changed: 'changed',
};

/** The first unmet criteria of the item `x`. */
const UNMET = `(SELECT COALESCE(json_agg(json_build_object('criteria_id', r.criteria_id, 'name', r.name, 'passed', r.passed,
    'description', r.description)), '[]'::json)
  FROM (SELECT r.criteria_id, r.name, r.passed, left(r.description, 300) AS description
    FROM "test-runs".run_scores c, json_to_recordset(c.criteria_results)
      r(criteria_id int, name text, passed boolean, description text)
    WHERE c.company_id = x.company_id AND c.id = x.score_id AND r.passed IS NOT TRUE LIMIT 5) r)`;

const page = (condition: string): string => `
  WITH result AS MATERIALIZED (
    SELECT r.nth, r.no, t.id, t.company_id, t.test_set_item_id AS item, t.position, t.matched, t.failure_class, t.score_id, ${ITEM_OUTCOME} AS outcome
    FROM unnest($2::uuid[], $3::int[]) WITH ORDINALITY r(id, no, nth)
    JOIN "test-runs".run_items t ON t.company_id = s.company AND t.run_id = r.id),
  listed AS (
    SELECT * FROM (SELECT item, min(nth * 1000000000 + position) AS place,
      min(COALESCE(outcome, '')) <> max(COALESCE(outcome, '')) AS changed, COALESCE(bool_or(outcome = 'ERROR'), false) AS has_error,
      COALESCE(bool_or(outcome = 'PASS') FILTER (WHERE nth = 1), false) AS first_passed,
      COALESCE(bool_or(outcome = 'FAIL') FILTER (WHERE nth = 1), false) AS first_failed,
      COALESCE(bool_or(outcome = 'PASS') FILTER (WHERE nth > 1), false) AS later_passed,
      COALESCE(bool_or(outcome = 'FAIL') FILTER (WHERE nth > 1), false) AS later_failed
    FROM result GROUP BY item) i WHERE ${condition}),
  page AS (SELECT * FROM listed ORDER BY place OFFSET $4 LIMIT $5),
  shown AS (
    SELECT p.item, p.place, p.changed, json_object_agg(x.no, json_build_object('run_item_id', x.id, 'outcome', x.outcome, 'matched', x.matched,
      'failure_class', x.failure_class, 'duration_ms', d.duration_ms, 'usage', u.usage, 'cost', (u.usage->>'cost')::float8, 'unmet', ${UNMET}) ORDER BY x.nth) AS results
    FROM page p JOIN result x ON x.item = p.item
    LEFT JOIN LATERAL (SELECT a.duration_ms FROM "test-runs".run_attempts a WHERE a.company_id = x.company_id
      AND a.run_item_id = x.id AND a.is_current ORDER BY a.repeat LIMIT 1) d ON true
    CROSS JOIN LATERAL (SELECT ${itemUsage('x')} AS usage) u
    GROUP BY p.item, p.place, p.changed)
  SELECT (SELECT count(*)::int FROM listed) AS total, COALESCE((SELECT json_agg(json_build_object('test_set_item_id', item,
    'results', results, 'changed', changed) ORDER BY place) FROM shown), '[]') AS items`;

/** The share of repeats that match; without repeats, the verdict. */
const SHARE = (matched: string, repeats: string): string => `CASE WHEN cardinality(${repeats}) > 1
  THEN (SELECT avg(m::int) FROM unnest(${repeats}) m WHERE m IS NOT NULL) ELSE ${matched}::int END`;

const REPEATS = (score: string): string =>
  `COALESCE(${score}.repeats_results, json_build_array(${score}.criteria_results))`;

/** The mean over the repeats of an item, by criterion. */
const RESULTS = (
  results: string,
): string => `(SELECT r.criteria_id, max(r.name) AS name, avg(r.score) AS score, avg(r.passed::int) AS passed,
  count(*) AS repeats FROM json_array_elements(${results}) x(repeat)
  CROSS JOIN json_to_recordset(x.repeat) r(criteria_id int, name text, score float8, passed boolean)
  WHERE r.passed IS NOT NULL GROUP BY r.criteria_id)`;

const SUMS = `
  WITH pair AS (
    SELECT b.matched AS first_matched, o.matched AS second_matched, c.repeats_matched AS first_repeats,
      d.repeats_matched AS second_repeats, ${REPEATS('c')} AS first_results, ${REPEATS('d')} AS second_results
    FROM "test-runs".run_items b
    JOIN "test-runs".run_items o ON o.company_id = b.company_id AND o.run_id = $3 AND o.test_set_item_id = b.test_set_item_id
      AND o.status = 'COMPLETED'
    LEFT JOIN "test-runs".run_scores c ON c.company_id = b.company_id AND c.id = b.score_id
    LEFT JOIN "test-runs".run_scores d ON d.company_id = o.company_id AND d.id = o.score_id
    WHERE b.company_id = s.company AND b.run_id = $2 AND b.position >= $4 AND b.position < $5 AND b.status = 'COMPLETED'),
  value AS (
    SELECT NULL::int AS criteria_id, 'match_rate' AS name, 'BOOLEAN' AS criteria_type,
      ${SHARE('first_matched', 'first_repeats')} AS first, ${SHARE('second_matched', 'second_repeats')} AS second,
      GREATEST(cardinality(first_repeats), cardinality(second_repeats), 1) AS repeats
    FROM pair WHERE first_matched IS NOT NULL AND second_matched IS NOT NULL
    UNION ALL
    SELECT f.criteria_id, g.name, e.criteria_type, CASE e.criteria_type WHEN 'BOOLEAN' THEN f.passed ELSE f.score END,
      CASE e.criteria_type WHEN 'BOOLEAN' THEN g.passed ELSE g.score END, GREATEST(f.repeats, g.repeats)
    FROM pair p CROSS JOIN LATERAL ${RESULTS('p.first_results')} f
    JOIN LATERAL ${RESULTS('p.second_results')} g ON g.criteria_id = f.criteria_id
    JOIN "test-runs".evaluation_criteria e ON e.company_id = s.company AND e.id = f.criteria_id)
  SELECT criteria_id, max(name) AS name, criteria_type, count(*)::int AS n,
    count(*) FILTER (WHERE first = 1 AND second = 1)::int AS both, count(*) FILTER (WHERE first = 1 AND second = 0)::int AS only_first,
    count(*) FILTER (WHERE first = 0 AND second = 1)::int AS only_second, count(*) FILTER (WHERE first = 0 AND second = 0)::int AS neither,
    sum((second - first)::float8) AS sum, sum(((second - first)::float8) ^ 2) AS squares, max(repeats)::int AS repeats
  FROM value GROUP BY criteria_id, criteria_type`;

export const RUNS_BY_NUMBER = readStatement(
  { index: ['run_attempts_of_run', 'runs_no'] },
  `SELECT x.* FROM s, LATERAL (SELECT t.no::int AS id, t.test_set_id, t.match_rate, ${TOTALS}, t.id AS uuid FROM "test-runs".runs t
   WHERE t.company_id = s.company AND t.no = ANY ($2::bigint[]) OFFSET 0) x`,
);

export const POSITIONS_OF_RUN = readStatement(
  { index: 'run_items_of_run' },
  `SELECT x.* FROM s, LATERAL (SELECT COALESCE(max(t.position), -1) + 1 AS positions FROM "test-runs".run_items t
   WHERE t.company_id = s.company AND t.run_id = $2 OFFSET 0) x`,
);

export const SUMS_OF_PAIR = readStatement(
  { index: ['evaluation_criteria_pkey', 'run_items_of_run', 'run_scores_pkey'] },
  `SELECT x.* FROM s, LATERAL (${SUMS} OFFSET 0) x`,
);

export const PAGE_OF_ITEMS = composed(
  (direction: Query['direction']) =>
    readStatement(
      { index: ['run_attempts_current', 'run_items_of_run', 'run_scores_pkey'] },
      `SELECT x.* FROM s, LATERAL (${page(direction === undefined ? 'true' : DIRECTIONS[direction])} OFFSET 0) x`,
    ),
  [undefined],
  ['worse'],
  ['better'],
  ['error'],
  ['changed'],
);
