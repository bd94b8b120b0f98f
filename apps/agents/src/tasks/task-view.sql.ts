import { NOW_MS, type View } from '@signalbox/database';
import { firstMessageSql } from '@signalbox/runs';
import { USAGE } from './task-record.js';

const DURATION = 't.completed_at - t.started_at';

const FIRST_MESSAGE = firstMessageSql(`(SELECT left(CASE jsonb_typeof(e.m->'content')
    WHEN 'string' THEN e.m->>'content'
    WHEN 'array' THEN (SELECT p->>'text' FROM jsonb_array_elements(e.m->'content') p WHERE p->>'type' = 'text' LIMIT 1)
  END, 200)
  FROM jsonb_array_elements(t.input_messages) WITH ORDINALITY e(m, n) ORDER BY (e.m->>'role' = 'user') DESC, e.n LIMIT 1)`);

const WAITING = `CASE WHEN t.status = 'WAITING_WEBHOOK' THEN json_build_object(
  'action_name', (SELECT w.data->>'action_name' FROM agents.task_timeline w WHERE w.company_id = t.company_id
    AND w.task_id = t.id AND w.type = 'waiting_webhook' ORDER BY w.no DESC LIMIT 1),
  'hook_expires_at', t.hook_expires_at) END`;

const LATEST = `(SELECT v.version_number FROM agents.agent_versions v
  WHERE v.company_id = t.company_id AND v.agent_id = t.agent_id AND v.is_latest)`;

const BODIES = {
  input_messages: 't.input_messages',
  output: 't.output',
  structured_output: 't.structured_output',
};

export const taskView: View = {
  resource: 'task',
  table: 'agents.tasks',
  keyType: 'uuid',
  // Ids are random: the order is that of acceptance.
  serial: 't.no',
  isFoundByNumber: true,
  alive: 'true',
  columns: [
    'id',
    'agent_id',
    'parent_task_id',
    'session_id',
    'status',
    'version',
    'reported_version',
    'release',
    'iterations',
    'failure_class',
    'error_code',
    'error_message',
    'started_at',
    'completed_at',
    'trigger',
    'metadata',
    'date_created',
  ],
  computed: {
    usage: USAGE,
    cost: 't.cost',
    duration_ms: DURATION,
    first_message: FIRST_MESSAGE,
    waiting: WAITING,
  },
  detail: BODIES,
  filters: {
    agent_id: 't.agent_id = ?',
    status: 't.status = ANY(?::text[])',
    open: 't.completed_at IS NULL',
    failure_class: 't.failure_class = ANY(?::text[])',
    error_code: 't.error_code = ANY(?::text[])',
    trigger: 't.trigger = ANY(?::text[])',
    session_id: 't.session_id = ?',
    session_no: 't.session_no = ?',
    release: 't.release = ?',
    version: 't.version = ?',
    latest: `t.version = ${LATEST}`,
    text: '(t.input_messages::text ILIKE ? OR t.output::text ILIKE ?)',
    min_duration_ms: `${DURATION} >= ?`,
    min_cost: 't.cost >= ?',
    start_date: 't.date_created >= ?',
    end_date: 't.date_created < ?',
  },
  search: ['t.session_id', 't.id::text', 't.error_message'],
  sort: {
    date_created: 't.no',
    date_updated: 't.no',
    status: 't.status',
    completed_at: 't.completed_at',
    duration_ms: DURATION,
    cost: 't.cost',
  },
};

export const taskWithBodies: View = { ...taskView, bodies: BODIES };

export const ENDED_COLUMNS = `t.id, t.session_id, t.status, t.output, t.structured_output, t.model, ${USAGE} AS usage, t.failure_class,
  t.error_code, t.error_message, t.started_at, t.completed_at, t.hook_expires_at`;

export const SESSION_STATES = {
  state: '(SELECT e.state FROM agents.sessions e WHERE e.company_id = t.company_id AND e.id = t.session_no)',
  parent: `(SELECT json_build_object('session_no', e.id, 'state', e.state, 'fields', o.snapshot->'form_fields')
    FROM agents.tasks o JOIN agents.sessions e ON e.company_id = o.company_id AND e.id = o.session_no
    WHERE o.company_id = t.company_id AND o.id = t.parent_task_id)`,
};

/** For the worker of a task that starts with its acceptance. */
export const ACCEPTED = `json_build_object('started_at', t.started_at, 'active_since', t.active_since, 'now', t.started_at, 'usage', ${USAGE}, 'last_seq', t.last_seq,
  'input_messages', t.input_messages, 'response_format', t.response_format, 'metadata', t.metadata,
  'state', ${SESSION_STATES.state}, 'parent', ${SESSION_STATES.parent})`;

/** Only sub-agents have tasks above them. */
const ROOT_TRIGGER = `CASE WHEN t.parent_task_id IS NULL THEN t.trigger ELSE (
  WITH RECURSIVE above AS (
    SELECT p.parent_task_id, p.trigger FROM agents.tasks p WHERE p.company_id = t.company_id AND p.id = t.parent_task_id
    UNION ALL
    SELECT p.parent_task_id, p.trigger FROM above a
      JOIN agents.tasks p ON p.company_id = t.company_id AND p.id = a.parent_task_id)
  SELECT a.trigger FROM above a WHERE a.parent_task_id IS NULL) END`;

export const RUNNING_COLUMNS = `t.id, t.agent_id, t.session_no, t.session_id, t.status, t.trigger, t.version, t.release, t.last_seq,
  t.snapshot, t.application_id, t.history, t.input_messages, t.response_format, t.max_iterations, t.max_cost,
  t.has_secrets, t.started_at, t.active_since, t.parent_task_id, t.parent_step, t.root_id, t.called_by,
  t.depth, t.ends_by, t.routing, t.calling_step, t.metadata, t.work_kind, ${ROOT_TRIGGER} AS root_trigger,
  ${USAGE} AS usage, ${NOW_MS} AS now,
  ${SESSION_STATES.state} AS state, ${SESSION_STATES.parent} AS parent`;
