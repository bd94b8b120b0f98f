import { readStatement, type View } from '@signalbox/database';
import { itemUsage, ITEM_OUTCOME } from '../run-records/index.js';

const RUN = '(SELECT r.no FROM "test-runs".runs r WHERE r.company_id = t.company_id AND r.id = t.run_id)';

const scored = (column: string): string =>
  `(SELECT s.${column} FROM "test-runs".run_scores s WHERE s.company_id = t.company_id AND s.id = t.score_id)`;

const first = (column: string): string =>
  `(SELECT a.${column} FROM "test-runs".run_attempts a
    WHERE a.company_id = t.company_id AND a.run_item_id = t.id AND a.is_current ORDER BY a.repeat LIMIT 1)`;

export const itemView: View = {
  resource: 'item',
  table: '"test-runs".run_items',
  columns: [
    'id',
    'test_set_item_id',
    'status',
    'failure_class',
    'error_code',
    'error_message',
    'matched',
    'agreement',
    'attempts',
    'started_at',
    'completed_at',
    'scored_at',
    'date_created',
    'date_updated',
  ],
  computed: {
    test_run_id: RUN,
    outcome: ITEM_OUTCOME,
    source_ref: first('source_ref'),
    duration_ms: first('duration_ms'),
    usage: itemUsage('t'),
    cost: `(${itemUsage('t')}->>'cost')::float8`,
    expectation_source: `COALESCE(${scored('expectation_source')}, CASE WHEN t.baseline IS NULL THEN 'none' ELSE 'baseline' END)`,
    response_sub_id: scored('response_sub_id'),
  },
  bodies: {
    adapted_input: 't.adapted_input',
    actual_output: first('actual_output'),
    expected_output_used: `COALESCE(${scored('expected_output_used')}, t.baseline)`,
    diff_result: scored('diff_result'),
    criteria_results: `COALESCE(${scored('criteria_results')}, '[]'::json)`,
  },
  detail: {
    attempts_results: `(SELECT COALESCE(json_agg(json_build_object('repeat', a.repeat, 'status', a.status,
        'failure_class', a.failure_class, 'actual_output', a.actual_output,
        'matched', CASE WHEN s.matched <> '{}' THEN s.matched[a.repeat] ELSE a.matched END, 'duration_ms', a.duration_ms,
        'source_ref', a.source_ref) ORDER BY a.repeat), '[]'::json)
      FROM "test-runs".run_attempts a, (SELECT ${scored('repeats_matched')} AS matched) s
      WHERE a.company_id = t.company_id AND a.run_item_id = t.id AND a.is_current)`,
  },
  filters: {
    run_id: 't.run_id = ?::uuid',
    status: 't.status = ANY (?::text[])',
    outcome: `${ITEM_OUTCOME} = ANY (?::text[])`,
    failure_class: 't.failure_class = ANY (?::text[])',
    matched: 't.matched = ?',
  },
  search: ['t.id::text', 't.test_set_item_id::text', 't.error_code', 't.error_message'],
  sort: { position: 't.position', duration_ms: first('duration_ms'), attempts: 't.attempts' },
  alive: 'true',
};

/** Attempts and scores never change. */
const UNCHANGED = { date_updated: 't.date_created' };

export const attemptView: View = {
  resource: 'attempt',
  table: '"test-runs".run_attempts',
  columns: [
    'id',
    'attempt',
    'repeat',
    'status',
    'failure_class',
    'error_message',
    'duration_ms',
    'source_ref',
    'started_at',
    'completed_at',
    'date_created',
  ],
  filters: { run_item_id: 't.run_item_id = ?' },
  search: ['t.id::text', 't.source_ref::text', 't.error_message'],
  sort: { attempt: 't.attempt', ...UNCHANGED },
  alive: 'true',
};

export const scoreView: View = {
  resource: 'score',
  table: '"test-runs".run_scores',
  columns: [
    'id',
    'run_item_id',
    'attempt',
    'expectation_source',
    'response_sub_id',
    'matched',
    'failure_class',
    'judged_sha256',
    'scored_at',
    'date_created',
  ],
  computed: {
    criteria_ids: `(SELECT c.criteria_ids FROM "test-runs".scorings c WHERE c.company_id = t.company_id AND c.id = t.scoring_id)`,
  },
  bodies: {
    expected_output_used: 't.expected_output_used',
    diff_result: 't.diff_result',
    criteria_results: 't.criteria_results',
  },
  filters: { run_item_id: 't.run_item_id = ?' },
  sort: { scored_at: 't.scored_at', ...UNCHANGED },
  alive: 'true',
};

export const ITEM_OF_RUN = readStatement(
  { index: 'run_items_pkey' },
  `SELECT x.* FROM s, LATERAL (SELECT 1 AS found FROM "test-runs".run_items t
   WHERE t.company_id = s.company AND t.id = $2 AND t.run_id = $3 OFFSET 0) x`,
);
