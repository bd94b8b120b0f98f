import { Injectable } from '@nestjs/common';
import {
  type ConsumerKind,
  type Emission,
  emission,
  type TestRunRecord,
  type TestRunStatus,
  testEvents,
} from '@signalbox/contracts';
import { Database, type Tx } from '@signalbox/database';
import { job } from '@signalbox/platform';
import { type HeldRun, RunNotifications, type RunKind, Runs, runEvent, StreamSubscribers } from '@signalbox/runs';
import { testRunStates, type TestRunTrigger } from './test-run.js';
import { DELETE_EVENTS, RUN_FIELDS, STORED_RUNS } from './test-run-kind.sql.js';

/** Completes the run and scores it. */
export const RUN_WORK = 'test_run';
/** As many jobs per run as concurrent calls. */
export const ITEM_WORK = 'test_run_lane';
export const CANCEL_WORK = 'test_run_cancel';
/** Contains all that the cancellation needs, because the run is deleted. */
export const CALL_CANCEL = job('test_run_call_cancel', {
  run_id: 'text',
  consumer_kind: 'text',
  consumer_id: 'int',
  call_id: 'text',
  cancelled_at: 'int',
});

export interface LockedTestRun extends HeldRun {
  no: number;
  status: TestRunStatus;
  executed: boolean;
  test_set_id: number;
  consumer_kind: ConsumerKind;
  consumer_config: Record<string, unknown>;
  consumer_id: number | null;
  consumer_version: string | null;
  target_name: string | null;
  criteria_ids: number[];
  auto_score: boolean;
  repeats: number;
  concurrency: number;
  work_kind: string;
  total_items: number;
  completed_items: number;
  failed_items: number;
}

const EVENTS = {
  prepare: 'test_run.prepared',
  execute: 'test_run.started',
  complete: 'test_run.completed',
  cancel: 'test_run.completed',
} as const;

/** A reset is emitted where it is done, with what it has reset. */
function lifecycle(trigger: TestRunTrigger | null, record: TestRunRecord): Emission[] {
  if (trigger === 'reset') return [];
  return [emission(testEvents, trigger === null ? 'test_run.created' : EVENTS[trigger], record.id, record)];
}

export const TEST_RUNS: RunKind<LockedTestRun, TestRunTrigger, TestRunRecord> = {
  ...STORED_RUNS,
  noun: 'test run',
  work: RUN_WORK,
  states: testRunStates,
  streamTypes: { end: ['run.completed', 'run.deleted'], wait: [] },
  record: Object.entries(RUN_FIELDS)
    .map(([name, sql]) => `${sql} AS ${name}`)
    .join(', '),
  lifecycle,
  eventTemplates: { cancelled: () => runEvent('run.completed') },
};

/** A stream has one end, so that of an earlier execution is deleted before a new one. */
export const forgetEvents = (tx: Tx, runId: string): Promise<unknown> => tx.query(DELETE_EVENTS, [tx.companyId, runId]);

@Injectable()
export class TestRuns extends Runs<LockedTestRun, TestRunTrigger, TestRunRecord> {
  constructor(db: Database, notifications: RunNotifications, subscribers: StreamSubscribers) {
    super(TEST_RUNS, db, notifications, subscribers);
  }
}
