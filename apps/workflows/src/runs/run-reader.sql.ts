import { readStatement, type View } from '@signalbox/database';
import { firstMessageSql } from '@signalbox/runs';
import { DURATION, USAGE } from './run-record.js';

const FIRST_MESSAGE = firstMessageSql(`left(COALESCE(
  (SELECT CASE jsonb_typeof(e.m->'content')
      WHEN 'string' THEN e.m->>'content'
      WHEN 'array' THEN (SELECT p->>'text' FROM jsonb_array_elements(e.m->'content') p WHERE p->>'type' = 'text' LIMIT 1)
    END
    FROM jsonb_array_elements(t.messages) WITH ORDINALITY e(m, n) ORDER BY (e.m->>'role' = 'user') DESC, e.n LIMIT 1),
  CASE jsonb_typeof(t.input) WHEN 'string' THEN t.input #>> '{}' ELSE t.input::text END), 200)`);

const BODIES = {
  input: 't.input',
  messages: 't.messages',
  params: 't.params',
  output: 't.output',
  transformed_session: 't.transformed_session',
};

const LOGS = `COALESCE((SELECT json_agg(json_build_object('timestamp', e.data->'timestamp', 'level', e.data->'level',
    'message', e.data->'message') ORDER BY e.seq) FROM workflows.run_events e
  WHERE e.company_id = t.company_id AND e.run_id = t.id AND e.type = 'run.log'), '[]'::json)`;

const LATEST = `(SELECT v.version_number FROM workflows.workflow_versions v
  WHERE v.company_id = t.company_id AND v.workflow_id = t.workflow_id AND v.is_latest)`;

/** Lists leave the bodies out. */
export const runView: View = {
  resource: 'run',
  table: 'workflows.runs',
  keyType: 'uuid',
  // Ids are random, so rows are ordered by acceptance.
  serial: 't.no',
  isFoundByNumber: true,
  alive: 'true',
  columns: [
    'id',
    'workflow_id',
    'workflow_version',
    'release',
    'session_id',
    'status',
    'trigger',
    'mode',
    'failure_class',
    'error_code',
    'error_message',
    'attempts',
    'parent_run_id',
    'metadata',
    'started_at',
    'completed_at',
    'date_created',
  ],
  computed: { usage: USAGE, cost: 't.cost', duration_ms: DURATION, first_message: FIRST_MESSAGE },
  detail: { ...BODIES, transform_error: 't.transform_error', logs: LOGS },
  filters: {
    application_id: 't.application_id = ?',
    workflow_id: 't.workflow_id = ?',
    status: 't.status = ANY(?::text[])',
    open: 't.completed_at IS NULL',
    failure_class: 't.failure_class = ANY(?::text[])',
    error_code: 't.error_code = ANY(?::text[])',
    trigger: 't.trigger = ANY(?::text[])',
    session_id: 't.session_id = ?',
    release: 't.release = ?',
    version: 't.workflow_version = ?',
    latest: `t.workflow_version = ${LATEST}`,
    text: '(t.input::text ILIKE ? OR t.messages::text ILIKE ? OR t.output::text ILIKE ?)',
    min_duration_ms: 't.completed_at - t.started_at >= ?',
    min_cost: 't.cost >= ?',
    start_date: 't.date_created >= ?',
    end_date: 't.date_created < ?',
  },
  search: ['t.session_id', 't.id::text', 't.workflow_ref_name', 't.error_message'],
  sort: {
    date_created: 't.no',
    date_updated: 't.no',
    status: 't.status',
    completed_at: 't.completed_at',
    duration_ms: DURATION,
    cost: 't.cost',
  },
};

export const logView: View = {
  resource: 'log entry',
  table: 'workflows.run_events',
  columns: [],
  computed: { timestamp: `t.data->'timestamp'`, level: `t.data->'level'`, message: `t.data->'message'` },
  filters: { run_id: 't.run_id = ?::uuid' },
  search: [`t.data->>'message'`],
  key: 'seq',
  isNumberedInParent: true,
  alive: `t.type = 'run.log'`,
};

export const endedView: View = { ...runView, alive: 't.completed_at IS NOT NULL' };

export const runWithBodies: View = { ...runView, bodies: BODIES };

export const FIND_ACCEPTED = readStatement(
  { index: 'runs_pkey' },
  `SELECT x.* FROM s, LATERAL (SELECT t.mode FROM workflows.runs t
   WHERE t.company_id = s.company AND t.id = $2 OFFSET 0) x`,
);
