import { conflict, emission, type EvaluationRunRecord, trafficEvents, type Verdict } from '@signalbox/contracts';
import type { RunStatus, States } from '@signalbox/runs/rules';
import { RUN_TRANSITIONS, type RunTrigger } from '@signalbox/runs/rules';
import { type AppliedSentinel, evaluationStateOf, type SentinelResult } from '../../judging/index.js';

export type EvaluationRunTrigger = RunTrigger | 'reset';

export interface RunningEvaluation extends EvaluationCounts {
  id: string;
  no: number;
  status: RunStatus;
  last_seq: number;
  has_secrets: boolean;
  application_id: number;
  intent_id: number;
  start_date: number;
  end_date: number;
  request_limit: number | null;
  sentinels: AppliedSentinel[];
  overridden: number[];
  upto: number | null;
  cursor: number;
  last_error: string | null;
  reset_classes: string[] | null;
  reset_cursor: number | null;
  reset_upto: number | null;
}

export interface EvaluationCounts {
  evaluated_requests: number;
  pass_count: number;
  fault_count: number;
  na_count: number;
  error_count: number;
  judgements: number;
  errors_by_class: Record<string, number>;
  cost: number | null;
}

export type EvaluationAct = 'count' | 'judge' | 'repeat' | 'complete' | 'fail';

const SHOWN: Readonly<Record<RunStatus, string>> = {
  QUEUED: 'PENDING',
  RUNNING: 'RUNNING',
  WAITING_WEBHOOK: 'RUNNING',
  COMPLETED: 'DONE',
  FAILED: 'ERROR',
  CANCELLED: 'CANCELLED',
};

/** A run that is done has ended, although a reset may start it again. */
export const evaluationRunStates: States<RunStatus, EvaluationRunTrigger> = {
  isTerminal: (status) => Object.keys(RUN_TRANSITIONS[status]).length === 0,
  move({ status, ...run }, trigger) {
    const next =
      trigger === 'reset' ? (status === 'COMPLETED' ? 'RUNNING' : undefined) : RUN_TRANSITIONS[status][trigger];
    if (next !== undefined) return next;
    const no = (run as Partial<RunningEvaluation>).no ?? run.id;
    throw conflict(`evaluation run ${no} is ${SHOWN[status]}: it cannot ${trigger}`);
  },
};

export function requireEnded({ no, status }: Pick<RunningEvaluation, 'no' | 'status'>): void {
  if (!evaluationRunStates.isTerminal(status))
    throw conflict(`evaluation run ${no} is ${SHOWN[status]}: cancel it first`);
}

/** A run fails when nothing could be judged. */
export function nextAct({
  upto,
  cursor,
  reset_cursor,
  reset_upto,
  judgements,
  errors_by_class,
}: Pick<
  RunningEvaluation,
  'upto' | 'cursor' | 'reset_cursor' | 'reset_upto' | 'judgements' | 'errors_by_class'
>): EvaluationAct {
  if (upto === null) return 'count';
  if (cursor < upto) return 'judge';
  if (reset_upto !== null && (reset_cursor ?? 0) < reset_upto) return 'repeat';
  const errors = Object.values(errors_by_class).reduce((sum, count) => sum + count, 0);
  return judgements > 0 && errors === judgements ? 'fail' : 'complete';
}

const COUNTERS: Readonly<Record<Verdict, 'pass_count' | 'fault_count' | 'na_count' | 'error_count'>> = {
  PASS: 'pass_count',
  FAULT: 'fault_count',
  NA: 'na_count',
  ERROR: 'error_count',
};

export function countedWith(
  counts: EvaluationCounts,
  requests: readonly (readonly SentinelResult[])[],
): EvaluationCounts {
  const after = { ...counts, errors_by_class: { ...counts.errors_by_class } };
  for (const results of requests) {
    after.evaluated_requests++;
    after[COUNTERS[evaluationStateOf(results.map(({ status }) => status))]]++;
    for (const { status, failure_class, usage } of results) {
      after.judgements++;
      if (usage.cost !== null) after.cost = (after.cost ?? 0) + usage.cost;
      if (status === 'ERROR' && failure_class)
        after.errors_by_class[failure_class] = (after.errors_by_class[failure_class] ?? 0) + 1;
    }
  }
  return after;
}

const EVENTS = {
  complete: 'evaluation_run.completed',
  fail: 'evaluation_run.failed',
  cancel: 'evaluation_run.cancelled',
} as const;

export function evaluationRunLifecycle(trigger: EvaluationRunTrigger | null, run: EvaluationRunRecord) {
  if (trigger === null) return [emission(trafficEvents, 'evaluation_run.created', run.id, run)];
  return trigger === 'complete' || trigger === 'fail' || trigger === 'cancel'
    ? [emission(trafficEvents, EVENTS[trigger], run.id, run)]
    : [];
}
