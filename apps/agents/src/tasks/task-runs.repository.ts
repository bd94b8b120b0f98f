import { Injectable } from '@nestjs/common';
import { Database, NOW_MS } from '@signalbox/database';
import {
  MonitorPayloads,
  NOW,
  RunHooks,
  type RunKind,
  RunNotifications,
  Runs,
  RunTimeline,
  StreamSubscribers,
} from '@signalbox/runs';
import type { LockedTask } from './execution/running-task.js';
import { HOOK_WORK, TASK_WORK } from './execution/task-work.js';
import { taskStates, type TaskTrigger } from './task.js';
import { taskLifecycle, type TaskRecord } from './steps/step-events.js';
import { TASK_RECORD, USAGE } from './task-record.js';
import { ACCEPTED } from './task.view.js';

const LOCKED_COLUMNS = `t.id, t.status, t.last_seq, t.agent_id, t.session_no, t.session_id, t.version, t.parent_task_id, t.has_secrets,
  ${USAGE} AS usage, ${NOW_MS} AS now`;

/** Open tasks of a session that the end of one looks at. */
const MAX_OPEN_TASKS = 100;

/**
 * The tasks of the session of an ended task `t` that waited for it: each has no earlier open one that is as deep. The
 * tasks of sub-agents wait for none.
 */
const NEXT_OF_SESSION = `SELECT n.id, n.work_kind FROM (
  SELECT o.*, max(o.depth) OVER (ORDER BY o.no ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS deepest FROM (
    SELECT e.id, e.no, e.work_kind, e.status, e.depth FROM agents.tasks e
    WHERE t.parent_task_id IS NULL AND e.company_id = t.company_id AND e.session_no = t.session_no AND e.id <> t.id
      AND e.parent_task_id IS NULL AND e.completed_at IS NULL ORDER BY e.no LIMIT ${MAX_OPEN_TASKS}) o
  ) n WHERE n.status = 'QUEUED' AND COALESCE(n.deepest, -1) < n.depth`;

export const TASKS: RunKind<LockedTask, TaskTrigger, TaskRecord> = {
  noun: 'task',
  work: TASK_WORK,
  isNested: true,
  states: taskStates,
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
  streamTypes: { end: ['task.completed', 'task.failed', 'task.cancelled'], wait: ['task.waiting'] },
  record: TASK_RECORD,
  lifecycle: taskLifecycle,
  eventTemplates: {
    cancelled: (status) => ({
      event: { type: 'task.cancelled', data: {} },
      timeline: { type: 'task_end', data: { status } },
    }),
    waiting: (until, about) => ({
      event: { type: 'task.waiting', data: until },
      timeline: { type: 'waiting_webhook', data: { ...about, ...until } },
    }),
  },
  directStart: {
    trigger: 'start',
    values: { started_at: NOW, active_since: NOW },
    before: { status: 'QUEUED', started_at: null },
    loaded: ACCEPTED,
  },
  retention: {
    setting: 'tasks',
    parts: ['agents.task_steps'],
    sessions: { table: 'agents.sessions', column: 'session_no' },
  },
  successor: NEXT_OF_SESSION,
};

/** The sub-agent of a timeline event and, once it has ended, its result. */
const CHILD = `CASE WHEN t.type = 'sub_agent_invoked' THEN (
  SELECT jsonb_build_object('child_agent_id', k.agent_id, 'child_agent_name', a.agent_name)
    || CASE WHEN k.completed_at IS NULL THEN '{}' ELSE jsonb_build_object('result', jsonb_build_object(
      'status', k.status, 'output', COALESCE(NULLIF(k.structured_output, 'null'), k.output->'content'),
      'failure_class', k.failure_class, 'error_message', k.error_message)) END
  FROM agents.tasks k JOIN agents.agents a ON a.company_id = k.company_id AND a.id = k.agent_id
  WHERE k.company_id = t.company_id AND k.id = (t.data->>'child_task_id')::uuid) END`;

/** A task as monitors judge it. */
const PAYLOAD = `json_build_object('task_id', t.id, 'input_messages', t.input_messages, 'output', t.output,
  'state', COALESCE((SELECT x.state FROM agents.sessions x WHERE x.company_id = t.company_id AND x.id = t.session_no), '{}'))`;

/**
 * The tasks of agents: their writes, cancellations, streams, hooks, timelines and payloads.
 *
 * SQL: the next task of a session is found by the statement that ends the one before.
 */
@Injectable()
export class TaskRuns extends Runs<LockedTask, TaskTrigger, TaskRecord> {
  readonly hooks: RunHooks<LockedTask, TaskTrigger, TaskRecord>;
  readonly timeline: RunTimeline;
  readonly monitorPayloads: MonitorPayloads;

  constructor(db: Database, notifications: RunNotifications, subscribers: StreamSubscribers) {
    super(TASKS, db, notifications, subscribers);
    this.hooks = new RunHooks(db, this.writes, TASKS, HOOK_WORK);
    this.timeline = new RunTimeline(db, TASKS.tables, CHILD);
    this.monitorPayloads = new MonitorPayloads(db, {
      table: TASKS.tables.runs,
      payload: PAYLOAD,
      targetColumn: 'agent_id',
      isProduction: `t.parent_task_id IS NULL AND t.trigger IN ('API', 'CHAT', 'WORKFLOW', 'MCP', 'EXTERNAL')`,
    });
  }
}
