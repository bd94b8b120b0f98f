import type { EvaluationRunRecord } from '@signalbox/contracts';
import { runEventTemplates, type RunKind, streamTypes, tablesOf } from '@signalbox/runs';
import {
  type EvaluationRunTrigger,
  evaluationRunLifecycle,
  evaluationRunStates,
  type RunningEvaluation,
} from './evaluation-run.js';
import { RUN_COLUMNS, RUN_RECORD } from './evaluation-runs.sql.js';
import { EVALUATION_RUN_SCHEMA } from '../../migrations/evaluation-run-schema.js';

export const EVALUATION_RUN_WORK = 'evaluation_run';

export const EVALUATION_RUNS: RunKind<RunningEvaluation, EvaluationRunTrigger, EvaluationRunRecord> = {
  noun: 'evaluation run',
  work: EVALUATION_RUN_WORK,
  states: evaluationRunStates,
  tables: tablesOf(EVALUATION_RUN_SCHEMA),
  columns: RUN_COLUMNS,
  timelineColumns: [],
  streamTypes: streamTypes('run'),
  record: RUN_RECORD,
  // Its requests, and with them its results, are older than the run.
  retention: { setting: 'requests', parts: [] },
  lifecycle: evaluationRunLifecycle,
  eventTemplates: runEventTemplates('run'),
};
