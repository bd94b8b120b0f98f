import { Injectable } from '@nestjs/common';
import { Database } from '@signalbox/database';
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
import { TASK_RECORD } from './task-record.js';
import { ACCEPTED } from './task-view.sql.js';
import { CHILD, LOCKED_COLUMNS, NEXT_OF_SESSION, PAYLOAD } from './task-runs.sql.js';

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

/** SQL: the next task of a session is found by the statement that ends the one before. */
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
