export { type AwaitedWork, awaitedWork } from './calls/awaited-work.js';
export { chainBelow, chainColumns, requireDepth, TOO_DEEP, workOfChild, workOfDepth } from './chain.js';
export { abortable, CALL_MS, pause, retriedCall, retriedPart } from './calls/retried-call.js';
export { RunNotifications } from './events/run-notifications.js';
export { StreamSubscribers } from './events/stream-subscribers.js';
export { firstMessageSql, firstTextOf, shownFirst } from './first-message.js';
export { hashOfKey, newHookKey, openPayload, sealPayload } from './hooks/hook-key.js';
export { type FoundHook, type HookAnswer, RunHooks } from './hooks/run-hooks.repository.js';
export { MonitorPayloads } from './reads/monitor-payloads.repository.js';
export { payloadStatements } from './reads/monitor-payloads.sql.js';
export { runsWith } from './reads/run-reads.sql.js';
export type { RunState } from './reads/run-reads.repository.js';
export { RunTimeline, type TimelinePage } from './reads/run-timeline.repository.js';
export { timelinePages } from './reads/run-timeline.sql.js';
export { RunWaits } from './reads/run-waits.js';
export { RunColumns, RunEventColumns, RunTimelineColumns } from './run.entity.js';
export {
  type ColumnValues,
  type CommittedEvents,
  type HeldRun,
  type LockedRun,
  recordSql,
  RunEndedError,
  type RunFailure,
  type RunKind,
  type RunStart,
} from './run-kind.js';
export { provideRuns, runProviders, RunsModule, runWorkProviders } from './run-providers.js';
export { RUN_EVENTS, runEvent } from './run-event-templates.js';
export { keptTables, type RunSchema, runTables, secretHolderTable, tablesOf } from './run-schema.js';
export { Runs } from './runs.js';
export { sealFor, SealingKeys } from './secrets/sealing.js';
export { SecretExchange } from './secrets/secret-exchange.js';
export { SecretHolderRow } from './secrets/secret-holder.entity.js';
export { holderOf } from './secrets/held-kind.js';
export { SecretHolder } from './secrets/secret-holder.js';
export * from './rules.js';
export { type StoredRuns, storedRuns } from './stored-runs.sql.js';
export { storable, stripUnstorable } from './stored-text.js';
export { jobsOfHooks, type RunJobs } from './work/run-jobs.js';
export { type Attempt, lostFailure, type LostReason, type RunSteps } from './work/run-loop.js';
export { StartedRuns } from './work/started-runs.js';
export { runIdOf, RunWorkSettings } from './work/run-work-loops.js';
export { SUSPENDED, SuspendedRuns } from './work/suspended-runs.js';
export { appliedOnce } from './writes/applied-once.js';
export { openRuns } from './writes/run-cancels.sql.js';
export { NOW } from './writes/run-transitions.js';
export type { RunChange } from './writes/run-writes.repository.js';
export type { StatementPart } from './writes/run-log.js';
