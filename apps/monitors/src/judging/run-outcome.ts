import type { FailureClass, MonitorOutcome } from '@signalbox/contracts';
import { arrayParameter } from '@signalbox/database';
import { boundedOutput } from './bounded-output.js';
import type { Judgement } from './judge.js';

/** Columns of a run; JSON values as text. */
export interface RunOutcome {
  outcome: MonitorOutcome;
  failure_class: FailureClass | null;
  error_message: string | null;
  resolution_trace: string;
  runner_output: string;
  runner_duration_ms: number;
  cost: number | null;
}

/** Faults and warnings are statements about quality (docs/api/failures.md). */
const classOf = ({ outcome, failure }: Judgement): FailureClass | null =>
  failure ? failure.failure_class : outcome === 'PASS' ? null : 'quality';

export const runOutcome = (judgement: Judgement): RunOutcome => ({
  outcome: judgement.outcome,
  failure_class: classOf(judgement),
  error_message: judgement.failure?.error_message ?? null,
  resolution_trace: JSON.stringify(judgement.resolution_trace),
  runner_output: boundedOutput(judgement.runner_output),
  runner_duration_ms: judgement.runner_duration_ms,
  cost: judgement.cost,
});

export const OUTCOME_TYPES = ['text[]', 'text[]', 'text[]', 'json[]', 'json[]', 'int[]', 'double precision[]'] as const;

/** In the order of the fields of `RunOutcome`; a missing outcome is null in every array. */
export const outcomeArrays = (outcomes: readonly (RunOutcome | undefined)[]) => [
  outcomes.map((each) => each?.outcome),
  outcomes.map((each) => each?.failure_class),
  outcomes.map((each) => each?.error_message),
  outcomes.map((each) => each?.resolution_trace),
  outcomes.map((each) => each?.runner_output),
  arrayParameter(
    'int',
    outcomes.map((each) => each?.runner_duration_ms),
  ),
  arrayParameter(
    'double precision',
    outcomes.map((each) => each?.cost),
  ),
];
