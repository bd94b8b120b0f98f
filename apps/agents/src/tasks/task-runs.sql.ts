import { USAGE } from './task-record.js';
import { NOW_MS } from '@signalbox/database';
import { payloadStatements, type StoredRuns, storedRuns, timelinePages } from '@signalbox/runs';

const LOCKED_COLUMNS = `t.id, t.status, t.last_seq, t.agent_id, t.session_no, t.session_id, t.version, t.parent_task_id, t.has_secrets,
  ${USAGE} AS usage, ${NOW_MS} AS now`;

/** Open tasks of a session that are considered when one ends. */
const MAX_OPEN_TASKS = 100;

/** Tasks that waited for the ended task `t`: no earlier one as deep is open. Those of sub-agents wait for none. */
export const NEXT_OF_SESSION = `SELECT n.id, n.work_kind FROM (
  SELECT o.*, max(o.depth) OVER (ORDER BY o.no ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS deepest FROM (
    SELECT e.id, e.no, e.work_kind, e.status, e.depth FROM agents.tasks e
    WHERE t.parent_task_id IS NULL AND e.company_id = t.company_id AND e.session_no = t.session_no AND e.id <> t.id
      AND e.parent_task_id IS NULL AND e.completed_at IS NULL ORDER BY e.no LIMIT ${MAX_OPEN_TASKS}) o
  ) n WHERE n.status = 'QUEUED' AND COALESCE(n.deepest, -1) < n.depth`;

const CHILD = `CASE WHEN t.type = 'sub_agent_invoked' THEN (
  SELECT jsonb_build_object('child_agent_id', k.agent_id, 'child_agent_name', a.agent_name)
    || CASE WHEN k.completed_at IS NULL THEN '{}' ELSE jsonb_build_object('result', jsonb_build_object(
      'status', k.status, 'output', COALESCE(NULLIF(k.structured_output, 'null'), k.output->'content'),
      'failure_class', k.failure_class, 'error_message', k.error_message)) END
  FROM agents.tasks k JOIN agents.agents a ON a.company_id = k.company_id AND a.id = k.agent_id
  WHERE k.company_id = t.company_id AND k.id = (t.data->>'child_task_id')::uuid) END`;

const PAYLOAD = `json_build_object('task_id', t.id, 'input_messages', t.input_messages, 'output', t.output,
  'state', COALESCE((SELECT x.state FROM agents.sessions x WHERE x.company_id = t.company_id AND x.id = t.session_no), '{}'))`;

export const STORED_TASKS: StoredRuns = storedRuns({
  tables: {
    runs: 'agents.tasks',
    events: 'agents.task_events',
    timeline: 'agents.task_timeline',
    hooks: 'agents.task_hooks',
    key: 'task_id',
    parent: 'parent_task_id',
  },
  columns: LOCKED_COLUMNS,
  timelineColumns: ['session_no'],
  retention: {
    setting: 'tasks',
    parts: ['agents.task_steps'],
    sessions: { table: 'agents.sessions', column: 'session_no' },
  },
});

export const TASK_TIMELINE = timelinePages({
  tables: STORED_TASKS.tables,
  details: { sql: CHILD, index: ['agents_pkey'] },
  columns: { session_no: 'task_timeline_of_session' },
});

export const TASK_PAYLOADS = payloadStatements({
  table: STORED_TASKS.tables.runs,
  payload: PAYLOAD,
  targetColumn: 'agent_id',
  isProduction: `t.parent_task_id IS NULL AND t.trigger IN ('API', 'CHAT', 'WORKFLOW', 'MCP', 'EXTERNAL')`,
  indexes: { ofTarget: 'tasks_of_agent', payload: ['sessions_pkey'] },
});
