import type { EvaluationRunRecord } from '@signalbox/contracts';
import { RUN_EVENTS, type RunKind } from '@signalbox/runs';
import {
  type EvaluationRunTrigger,
  evaluationRunLifecycle,
  evaluationRunStates,
  type RunningEvaluation,
} from './evaluation-run.js';
import { RUN_RECORD, STORED_EVALUATION_RUNS } from './evaluation-runs.sql.js';

export const EVALUATION_RUN_WORK = 'evaluation_run';

export const EVALUATION_RUNS: RunKind<RunningEvaluation, EvaluationRunTrigger, EvaluationRunRecord> = {
  ...STORED_EVALUATION_RUNS,
  ...RUN_EVENTS,
  noun: 'evaluation run',
  work: EVALUATION_RUN_WORK,
  states: evaluationRunStates,
  record: RUN_RECORD,
  lifecycle: evaluationRunLifecycle,
};
