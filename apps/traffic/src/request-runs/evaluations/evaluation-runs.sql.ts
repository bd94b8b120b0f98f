import { txStatement, type View } from '@signalbox/database';
import { runsWith, type StoredRuns, storedRuns, tablesOf } from '@signalbox/runs';
import { EVALUATION_RUN_SCHEMA } from '../../migrations/evaluation-run-schema.js';

/** As clients know it, over the alias `t`. */
const STATUS = `CASE t.status WHEN 'QUEUED' THEN 'PENDING' WHEN 'COMPLETED' THEN 'DONE' WHEN 'FAILED' THEN 'ERROR'
  ELSE t.status END`;
const UPDATED = 'COALESCE(t.completed_at, t.started_at, t.date_created)';
const PASS_RATE = `CASE WHEN t.pass_count + t.fault_count > 0
  THEN t.pass_count::float8 / (t.pass_count + t.fault_count) END`;
const COLUMNS = [
  'name',
  'application_id',
  'intent_id',
  'start_date',
  'end_date',
  'sentinel_ids',
  'request_limit',
  'total_requests',
  'evaluated_requests',
  'pass_count',
  'fault_count',
  'na_count',
  'error_count',
  'errors_by_class',
  'cost',
  'error_message',
  'date_created',
  'started_at',
  'completed_at',
] as const;

export const EVALUATION_RUN: View = {
  resource: 'evaluation run',
  table: 'traffic.evaluation_runs',
  key: 'no',
  columns: [...COLUMNS, 'sentinel_overrides'],
  computed: { id: 't.no', status: STATUS, pass_rate: PASS_RATE, date_updated: UPDATED },
  filters: { status: `${STATUS} = ?`, application_id: 't.application_id = ?', intent_id: 't.intent_id = ?' },
  search: ['t.name'],
  sort: { date_updated: UPDATED, name: 't.name', pass_rate: PASS_RATE },
};

const RUN_COLUMNS = `t.id, t.no, t.status, t.last_seq, t.has_secrets, t.application_id, t.intent_id, t.start_date, t.end_date,
  t.request_limit, t.sentinels, t.upto, t.cursor, t.evaluated_requests, t.pass_count, t.fault_count, t.na_count,
  t.error_count, t.judgements, t.errors_by_class, t.last_error, t.cost, t.reset_classes, t.reset_cursor, t.reset_upto,
  ARRAY(SELECT jsonb_object_keys(t.sentinel_overrides)::int) AS overridden`;

export const RUN_RECORD = `t.no AS id, ${STATUS} AS status, ${PASS_RATE} AS pass_rate, ${UPDATED} AS date_updated,
  ${COLUMNS.map((name) => `t.${name}`).join(', ')}`;

export const STORED_EVALUATION_RUNS: StoredRuns = storedRuns({
  tables: tablesOf(EVALUATION_RUN_SCHEMA),
  columns: RUN_COLUMNS,
  timelineColumns: [],
  // Its requests, and with them its results, are older than the run.
  retention: { setting: 'requests', parts: [] },
});

export const RUN_BY_NUMBER = runsWith(
  STORED_EVALUATION_RUNS,
  { index: 'evaluation_runs_of_company' },
  't.no = $2 AND t.deleted_at IS NULL',
);

export const NUMBER_OF_RUN = txStatement(
  { index: 'evaluation_runs_pkey' },
  'SELECT no FROM traffic.evaluation_runs WHERE company_id = $1 AND id = $2',
);

export const DELETE_RUN = txStatement(
  { index: 'evaluation_runs_pkey' },
  'UPDATE traffic.evaluation_runs SET deleted_at = $3 WHERE company_id = $1 AND id = $2',
);

export const EXTENT_OF_FAILED = txStatement(
  { index: 'evaluation_results_run' },
  `SELECT min(id) AS first, max(id) AS last FROM traffic.evaluation_results
   WHERE company_id = $1 AND evaluation_id = $2 AND status = 'ERROR' AND ($3::text[] IS NULL OR failure_class = ANY ($3))`,
);

export const DELETE_EVENTS = txStatement(
  { index: 'evaluation_run_events_pkey' },
  'DELETE FROM traffic.evaluation_run_events WHERE company_id = $1 AND run_id = $2',
);

export const LOCK_RUN = txStatement(
  { index: 'evaluation_runs_of_company' },
  `SELECT ${RUN_COLUMNS} FROM traffic.evaluation_runs t
   WHERE t.company_id = $1 AND t.no = $2 AND t.deleted_at IS NULL FOR UPDATE`,
);
