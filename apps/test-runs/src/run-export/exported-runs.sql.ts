import { readStatement } from '@signalbox/database';
import { itemView } from '../run-items/index.js';

/** Bytes of the bodies of a page; only its first item may be larger. */
const PAGE_BYTES = 2_097_152;

const PAGE_ITEMS = 200;

export const RUN_FILE_COLUMNS = [
  'id',
  'test_run_id',
  'test_set_item_id',
  'status',
  'failure_class',
  'error_code',
  'error_message',
  'outcome',
  'adapted_input',
  'actual_output',
  'expected_output_used',
  'expectation_source',
  'response_sub_id',
  'matched',
  'diff_result',
  'criteria_results',
  'agreement',
  'attempts_results',
  'duration_ms',
  'usage',
  'cost',
  'attempts',
  'source_ref',
  'started_at',
  'completed_at',
  'scored_at',
  'date_created',
  'date_updated',
] as const;

const FIELDS: Readonly<Record<string, string>> = { ...itemView.computed, ...itemView.bodies, ...itemView.detail };

const COLUMNS = RUN_FILE_COLUMNS.map((name) => `(${FIELDS[name] ?? `t.${name}`})::text AS ${name}`).join(', ');

const BODY_BYTES = Object.values({ ...itemView.bodies, ...itemView.detail })
  .map((sql) => `COALESCE(octet_length((${sql})::text), 0)`)
  .join(' + ');

export const SUMMARY_OF_RUN = readStatement(
  { index: ['run_attempts_current', 'run_items_of_run', 'runs_pkey', 'test_sets_pkey'] },
  `SELECT x.* FROM s, LATERAL (SELECT r.no::int, r.name, r.started_at, concat_ws(' ', lower(r.consumer_kind), r.consumer_id,
     r.consumer_version) AS consumer, (SELECT z.name FROM "test-runs".test_sets z
       WHERE z.company_id = r.company_id AND z.id = r.test_set_id) AS set_name, c.*
   FROM "test-runs".runs r CROSS JOIN LATERAL (SELECT count(*)::int AS total,
       count(*) FILTER (WHERE t.status = 'COMPLETED' AND NOT t.matched)::int AS mismatched,
       count(*) FILTER (WHERE t.status = 'FAILED')::int AS errors,
       count(*) FILTER (WHERE t.status IN ('PENDING', 'RUNNING') OR t.status = 'COMPLETED' AND t.matched IS NULL)::int AS skipped,
       COALESCE(sum((${FIELDS['duration_ms'] ?? 'NULL'})), 0)::float8 AS duration_ms
     FROM "test-runs".run_items t WHERE t.company_id = r.company_id AND t.run_id = r.id) c
   WHERE r.company_id = s.company AND r.id = $2 OFFSET 0) x`,
);

export const PAGE_OF_ITEMS = readStatement(
  { index: ['run_attempts_current', 'run_items_of_run', 'run_scores_pkey', 'runs_pkey'] },
  `SELECT x.* FROM s, LATERAL (
   SELECT t.position, ${COLUMNS}
   FROM (SELECT m.*, sum(m.bytes) OVER (ORDER BY m.position) - m.bytes AS before FROM (
       SELECT t.*, ${BODY_BYTES} AS bytes FROM "test-runs".run_items t WHERE t.company_id = s.company AND t.run_id = $2
         AND t.position > $3 ORDER BY t.position LIMIT ${PAGE_ITEMS}) m) t
   WHERE t.before < ${PAGE_BYTES} ORDER BY t.position OFFSET 0) x`,
);
