import { Injectable } from '@nestjs/common';
import type { Usage } from '@signalbox/contracts';
import { Database, type Tx } from '@signalbox/database';
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
import { ADD_USAGE, USAGE_BELOW } from './task-writes.sql.js';
import { NEXT_OF_SESSION, STORED_TASKS, TASK_PAYLOADS, TASK_TIMELINE } from './task-runs.sql.js';

/** A cancelled task records no answer of its sub-agents any more. */
async function addUsageBelow(tx: Tx, { id }: LockedTask): Promise<void> {
  const [used] = await tx.query<Usage>(USAGE_BELOW, [tx.companyId, id]);
  if (!used) return;
  const { prompt_tokens, completion_tokens, total_tokens, cost } = used;
  await tx.query(ADD_USAGE, [tx.companyId, id, prompt_tokens, completion_tokens, total_tokens, cost]);
}

export const TASKS: RunKind<LockedTask, TaskTrigger, TaskRecord> = {
  ...STORED_TASKS,
  noun: 'task',
  work: TASK_WORK,
  isNested: true,
  states: taskStates,
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
  successor: NEXT_OF_SESSION,
  cancelling: addUsageBelow,
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
    this.timeline = new RunTimeline(db, TASK_TIMELINE);
    this.monitorPayloads = new MonitorPayloads(db, TASK_PAYLOADS);
  }
}
