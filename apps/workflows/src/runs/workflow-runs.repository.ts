import { Injectable } from '@nestjs/common';
import { Database } from '@signalbox/database';
import { NOW, type RunKind, RunNotifications, Runs, RunTimeline, StreamSubscribers } from '@signalbox/runs';
import { runStates, type RunTransition } from './run.js';
import { RUN_RECORD, runLifecycle, type RunRecord } from './run-record.js';
import { ADD_USAGE_BELOW } from './run-progress.sql.js';
import type { RunBody, RunningRun } from './running-run.js';
import { LOAD_RUN, RUN_TIMELINE, STORED_RUNS } from './workflow-runs.sql.js';

/** Nested runs are executed by the worker of their root. */
export const RUN_WORK = 'workflow_run';

export const WORKFLOW_RUNS: RunKind<RunningRun, RunTransition, RunRecord> = {
  ...STORED_RUNS,
  noun: 'run',
  work: RUN_WORK,
  isNested: true,
  states: runStates,
  streamTypes: { end: ['run.completed', 'run.failed', 'run.timed_out', 'run.cancelled'], wait: [] },
  record: RUN_RECORD,
  lifecycle: runLifecycle,
  eventTemplates: {
    cancelled: (status) => ({
      event: { type: 'run.cancelled', data: {} },
      timeline: { type: 'run_end', data: { status } },
    }),
  },
  directStart: {
    trigger: 'start',
    values: { started_at: NOW, attempts: 1 },
    before: { status: 'QUEUED', started_at: null, attempts: 0 },
    loaded: `json_build_object('input', t.input, 'messages', t.messages, 'params', t.params, 'metadata', t.metadata)`,
  },
  inlineChildren: true,
  cancelling: async (tx, { id }) => void (await tx.query(ADD_USAGE_BELOW, [tx.companyId, id])),
};

@Injectable()
export class WorkflowRuns extends Runs<RunningRun, RunTransition, RunRecord> {
  readonly timeline: RunTimeline;

  constructor(db: Database, notifications: RunNotifications, subscribers: StreamSubscribers) {
    super(WORKFLOW_RUNS, db, notifications, subscribers);
    this.timeline = new RunTimeline(db, RUN_TIMELINE);
  }

  /** With the body; null for an unknown run. */
  override async load(companyId: number, id: string): Promise<RunningRun | null> {
    const [row] = await this.db.select<RunningRun & RunBody>(companyId, LOAD_RUN, [id]);
    if (!row) return null;
    const { snapshot, input, messages, params, metadata, secret_names, ...run } = row;
    return { ...run, body: { snapshot, input, messages, params, metadata, secret_names } };
  }
}
