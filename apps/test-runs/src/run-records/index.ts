export { RunProgressEvents } from './progress.repository.js';
export { type EndedRepeat, MAX_LOSSES, nextRepeat, stateAfter } from './run-item.js';
export { RunRecordsModule } from './run-records.module.js';
export { ITEM_OUTCOME, itemUsage, runTotals, TOTAL_FIELDS } from './run-totals.sql.js';
export {
  CALL_CANCEL,
  CANCEL_WORK,
  forgetEvents,
  ITEM_WORK,
  type LockedTestRun,
  RUN_WORK,
  TEST_RUNS,
  TestRuns,
} from './test-run-kind.js';
export { RUN_COLUMNS } from './test-run-kind.sql.js';
export { TestRunEventRow, TestRunRow, TestRunTimelineRow } from './test-run.entity.js';
export { isComplete, moved, startsNow } from './test-run.js';
export { type CreatedRun, TestRunRows } from './test-runs.repository.js';
