export { RunBudget } from './budget/run-budget.js';
export { isFirst, RunBudgets } from './budget/run-budgets.repository.js';
export { RunWriter } from './budget/run-writer.js';
export { type ChildEnd, ChildRows } from './child-rows.repository.js';
export { type NamedRun, type NewRun, startedRun, type StoredInput, valuesOf } from './new-run.js';
export { FailedCall, FailedCalls, hostError } from './outcome/failed-call.js';
export {
  badOutput,
  EXECUTIONS_LOST,
  failureOf,
  INTERRUPTED,
  MAX_LOST_EXECUTIONS,
  OUT_OF_TIME,
  type RunOutcome,
  SECRETS_UNAVAILABLE,
} from './outcome/run-outcome.js';
export { RunCancellations } from './run-cancellations.js';
export { runFilters } from './run-filters.js';
export { RunProgress } from './run-progress.repository.js';
export { missingRun, RunReader } from './run-reader.repository.js';
export { runView } from './run-reader.sql.js';
export { startedEvent } from './run-record.js';
export { RUN_SCHEMA } from './run-schema.js';
export { RunEventRow, RunResultRow, RunRow, RunTimelineRow } from './run.entity.js';
export type { RunBody, RunningRun } from './running-run.js';
export { WorkflowRunsModule } from './runs.module.js';
export { StartedWorkflowRuns } from './started-workflow-runs.js';
export { RUN_WORK, WorkflowRuns } from './workflow-runs.repository.js';
