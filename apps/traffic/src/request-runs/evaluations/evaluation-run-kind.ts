import type { EvaluationRunRecord } from '@signalbox/contracts';
import type { View } from '@signalbox/database';
import { runEventTemplates, type RunKind, streamTypes, tablesOf } from '@signalbox/runs';
import {
  type EvaluationRunTrigger,
  evaluationRunLifecycle,
  evaluationRunStates,
  type RunningEvaluation,
} from './evaluation-run.js';
import { EVALUATION_RUN_SCHEMA } from '../../migrations/evaluation-run-schema.js';

/** Kind of the work that is one evaluation run. */
export const EVALUATION_RUN_WORK = 'evaluation_run';

/** The state of a run as clients know it, over the alias `t`. */
export const EVALUATION_RUN_STATUS = `CASE t.status WHEN 'QUEUED' THEN 'PENDING' WHEN 'COMPLETED' THEN 'DONE' WHEN 'FAILED' THEN 'ERROR'
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

/** Evaluation runs as they are read. */
export const EVALUATION_RUN: View = {
  resource: 'evaluation run',
  table: 'traffic.evaluation_runs',
  key: 'no',
  columns: [...COLUMNS, 'sentinel_overrides'],
  computed: { id: 't.no', status: EVALUATION_RUN_STATUS, pass_rate: PASS_RATE, date_updated: UPDATED },
  search: ['t.name'],
  sort: { date_updated: UPDATED, name: 't.name', pass_rate: PASS_RATE },
};

/** Evaluation runs as a kind of run. */
export const EVALUATION_RUNS: RunKind<RunningEvaluation, EvaluationRunTrigger, EvaluationRunRecord> = {
  noun: 'evaluation run',
  work: EVALUATION_RUN_WORK,
  states: evaluationRunStates,
  tables: tablesOf(EVALUATION_RUN_SCHEMA),
  columns: `t.id, t.no, t.status, t.last_seq, t.has_secrets, t.application_id, t.intent_id, t.start_date, t.end_date,
    t.request_limit, t.sentinels, t.upto, t.cursor, t.evaluated_requests, t.pass_count, t.fault_count, t.na_count,
    t.error_count, t.judgements, t.errors_by_class, t.last_error, t.cost, t.reset_classes, t.reset_cursor, t.reset_upto,
    ARRAY(SELECT jsonb_object_keys(t.sentinel_overrides)::int) AS overridden`,
  timelineColumns: [],
  streamTypes: streamTypes('run'),
  record: `t.no AS id, ${EVALUATION_RUN_STATUS} AS status, ${PASS_RATE} AS pass_rate, ${UPDATED} AS date_updated,
    ${COLUMNS.map((name) => `t.${name}`).join(', ')}`,
  // Its requests, and with them its results, are older than the run.
  retention: { setting: 'requests', parts: [] },
  lifecycle: evaluationRunLifecycle,
  eventTemplates: runEventTemplates('run'),
};
