import { ApiError, type FailureClass } from '@signalbox/contracts';

/** Why a source could not be judged. */
export interface JudgeFailure {
  failure_class: FailureClass;
  error_message: string;
  /** Another attempt may succeed. */
  repeatable: boolean;
}

/** The failure of a judgement whose input or reply cannot be used. */
export const judgeFailure = (failure_class: FailureClass, error_message: string, repeatable = true): JudgeFailure => ({
  failure_class,
  error_message: error_message.slice(0, 4000),
  repeatable,
});

/** The failure of a call of a model; null for an outage of the platform, which is no failure of the judge. */
export function failureOfModelCall(error: unknown): JudgeFailure | null {
  if (!(error instanceof ApiError)) return judgeFailure('internal', 'internal server error');
  const { kind, message, extras } = error;
  if (kind === 'unavailable') return null;
  if (kind === 'timeout') return judgeFailure('timeout', message);
  // A model that was deleted or disabled is part of the configuration: no provider has failed.
  if (extras.code === 'model_not_found' || kind === 'not_found') return judgeFailure('judge', message, false);
  if (kind === 'bad_upstream' || kind === 'rate_limited' || kind === 'refused')
    return judgeFailure('provider', message);
  return judgeFailure('internal', message);
}

/** The failure of the evaluation of conditions, such as a pattern that takes too long; null for an outage. */
export function failureOfConditions(error: unknown): JudgeFailure | null {
  if (!(error instanceof ApiError)) return judgeFailure('internal', 'internal server error');
  if (error.kind === 'unavailable') return null;
  return judgeFailure('judge', error.message, false);
}
