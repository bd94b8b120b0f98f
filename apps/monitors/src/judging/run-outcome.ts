import type { FailureClass, MonitorOutcome } from '@signalbox/contracts';
import { arrayParameter } from '@signalbox/database';
import { boundedOutput } from './bounded-output.js';
import type { Judgement } from './judge.js';

/** What a judgement fills of a run; both JSON values as their text. */
export interface RunOutcome {
  outcome: MonitorOutcome;
  failure_class: FailureClass | null;
  error_message: string | null;
  resolution_trace: string;
  runner_output: string;
  runner_duration_ms: number;
  cost: number | null;
}

/** The class of a judgement: a fault and a warning are statements about quality (docs/api/failures.md). */
const classOf = ({ outcome, failure }: Judgement): FailureClass | null =>
  failure ? failure.failure_class : outcome === 'PASS' ? null : 'quality';

/** The outcome of a judgement as it is stored. */
export const runOutcome = (judgement: Judgement): RunOutcome => ({
  outcome: judgement.outcome,
  failure_class: classOf(judgement),
  error_message: judgement.failure?.error_message ?? null,
  resolution_trace: JSON.stringify(judgement.resolution_trace),
  runner_output: boundedOutput(judgement.runner_output),
  runner_duration_ms: judgement.runner_duration_ms,
  cost: judgement.cost,
});

/** SQL of the types of `outcomeArrays`. */
export const OUTCOME_TYPES = ['text[]', 'text[]', 'text[]', 'json[]', 'json[]', 'int[]', 'double precision[]'] as const;

/** The columns of outcomes as parameters of a statement, in the order of the fields; a missing outcome is null in each. */
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
