import { ApiError, type FailureClass } from '@signalbox/contracts';

export interface JudgeFailure {
  failure_class: FailureClass;
  error_message: string;
  /** Another attempt may succeed. */
  repeatable: boolean;
}

export const judgeFailure = (failure_class: FailureClass, error_message: string, repeatable = true): JudgeFailure => ({
  failure_class,
  error_message: error_message.slice(0, 4000),
  repeatable,
});

/** Null for an outage of the platform, which is not a failure of the judge. */
export function failureOfModelCall(error: unknown): JudgeFailure | null {
  if (!(error instanceof ApiError)) return judgeFailure('internal', 'internal server error');
  const { kind, message, extras } = error;
  if (kind === 'unavailable') return null;
  if (kind === 'timeout') return judgeFailure('timeout', message);
  // A deleted or disabled model is a fault of the configuration, not of a provider.
  if (extras.code === 'model_not_found' || kind === 'not_found') return judgeFailure('judge', message, false);
  if (kind === 'bad_upstream' || kind === 'rate_limited' || kind === 'refused')
    return judgeFailure('provider', message);
  return judgeFailure('internal', message);
}

/** Such as a pattern that takes too long; null for an outage of the platform. */
export function failureOfConditions(error: unknown): JudgeFailure | null {
  if (!(error instanceof ApiError)) return judgeFailure('internal', 'internal server error');
  if (error.kind === 'unavailable') return null;
  return judgeFailure('judge', error.message, false);
}
