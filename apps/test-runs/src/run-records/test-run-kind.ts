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
import {
  type HeldRun,
  RunNotifications,
  type RunKind,
  Runs,
  runEvent,
  StreamSubscribers,
  tablesOf,
} from '@signalbox/runs';
import { RUN_SCHEMA } from '../migrations/run-schema.js';
import { testRunStates, type TestRunTrigger } from './test-run.js';

/** Kind of the work that conducts a run: it completes the run and scores it. */
export const RUN_WORK = 'test_run';
/** Kind of the work that executes items: as many jobs for a run as calls may be under way at once. */
export const ITEM_WORK = 'test_run_lane';
export const CANCEL_WORK = 'test_run_cancel';
/** Kind of the work that cancels what one call of a deleted run may have started; it names all that this needs. */
export const CALL_CANCEL = job('test_run_call_cancel', {
  run_id: 'text',
  consumer_kind: 'text',
  consumer_id: 'int',
  call_id: 'text',
  cancelled_at: 'int',
});

const count = (status: string): string =>
  `(SELECT count(*)::int FROM "test-runs".run_items i
    WHERE i.company_id = t.company_id AND i.run_id = t.id AND i.status = '${status}')`;
const counted = (status: string, column: string): string =>
  `CASE WHEN t.status = 'RUNNING' THEN ${count(status)} ELSE t.${column} END`;

/** The fields of a run without the configuration of its consumer, by name, as SQL over the alias `t`. */
export const RUN_FIELDS: Readonly<Record<string, string>> = {
  id: 't.no',
  test_set_id: 't.test_set_id',
  name: 't.name',
  description: 't.description',
  meta: 't.meta',
  consumer_kind: 't.consumer_kind',
  consumer_id: 't.consumer_id',
  consumer_version: 't.consumer_version',
  status: 't.status',
  criteria_ids: 't.criteria_ids',
  auto_score: 't.auto_score',
  repeats: 't.repeats',
  total_items: 't.total_items',
  completed_items: counted('COMPLETED', 'completed_items'),
  failed_items: counted('FAILED', 'failed_items'),
  matched_items: 't.matched_items',
  match_rate: 't.match_rate',
  prepared_at: 't.prepared_at',
  started_at: 't.started_at',
  completed_at: 't.completed_at',
  scored_at: 't.scored_at',
  cancelled_at: 't.cancelled_at',
  date_created: 't.date_created',
  date_updated: 't.date_updated',
};

/** How far the scoring of a run `t` by its criteria is, as SQL. */
export const SCORING = `(SELECT json_build_object('status', c.status, 'scored', c.scored, 'total', c.total)
  FROM "test-runs".scorings c WHERE c.company_id = t.company_id AND c.run_id = t.id AND c.criteria_key = '')`;

/** The columns that a worker reads. */
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

/** The columns of `LockedTestRun` over the alias `t`. */
export const RUN_COLUMNS = `t.id, t.no, t.status, t.last_seq, t.has_secrets, t.executed, t.test_set_id, t.consumer_kind,
  t.consumer_config, t.consumer_id, t.consumer_version, t.target_name, t.criteria_ids, t.auto_score, t.repeats, t.concurrency, t.work_kind,
  t.total_items, t.completed_items, t.failed_items`;

const EVENTS = {
  prepare: 'test_run.prepared',
  execute: 'test_run.started',
  complete: 'test_run.completed',
  cancel: 'test_run.completed',
} as const;

/** The event of a change of state; a reset is emitted where it is done, with what it has reset. */
function lifecycle(trigger: TestRunTrigger | null, record: TestRunRecord): Emission[] {
  if (trigger === 'reset') return [];
  return [emission(testEvents, trigger === null ? 'test_run.created' : EVENTS[trigger], record.id, record)];
}

export const TEST_RUNS: RunKind<LockedTestRun, TestRunTrigger, TestRunRecord> = {
  noun: 'test run',
  work: RUN_WORK,
  states: testRunStates,
  tables: tablesOf(RUN_SCHEMA),
  columns: RUN_COLUMNS,
  timelineColumns: [],
  streamTypes: { end: ['run.completed', 'run.deleted'], wait: [] },
  record: Object.entries(RUN_FIELDS)
    .map(([name, sql]) => `${sql} AS ${name}`)
    .join(', '),
  lifecycle,
  eventTemplates: { cancelled: () => runEvent('run.completed') },
};

/** Deletes the events of a run: a stream has one end, so that of an earlier execution is deleted before a new one. */
export const forgetEvents = (tx: Tx, runId: string): Promise<unknown> =>
  tx.query(`DELETE FROM ${TEST_RUNS.tables.events} WHERE company_id = $1 AND run_id = $2`, [tx.companyId, runId]);

/** Test runs: their writes and streams. */
@Injectable()
export class TestRuns extends Runs<LockedTestRun, TestRunTrigger, TestRunRecord> {
  constructor(db: Database, notifications: RunNotifications, subscribers: StreamSubscribers) {
    super(TEST_RUNS, db, notifications, subscribers);
  }
}
