export { Judge, type Judgement } from './judge.js';
export { judgementId } from './judgement-id.js';
export { JudgingModule } from './judging.module.js';
export { PendingRuns } from './pending-runs.repository.js';
export { RUN_COLUMNS } from './run-fields.js';
export { OUTCOME_TYPES, outcomeArrays, runOutcome, type RunOutcome } from './run-outcome.js';
export { SOURCE_OF_TARGET, SourceReader } from './source-reader.js';
