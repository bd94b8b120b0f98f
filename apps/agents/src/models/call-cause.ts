import type { ApiError } from '@signalbox/contracts';
import { type CallFailure, callFailureOf } from '@signalbox/runs/rules';

/** Error codes of the platform that a task keeps. */
const OWN_CODES = ['model_not_found', 'application_disabled'] as const;

/** Null for a failure of the platform, which is retried. */
export function causeOf(error: ApiError): CallFailure | null {
  const cause = callFailureOf(error);
  if (cause || error.kind === 'internal' || error.kind === 'unavailable') return cause;
  const { code } = error.extras;
  // The configuration changed after the task was accepted, or was stored before it was validated.
  return { failure_class: 'internal', error_code: OWN_CODES.find((own) => own === code) ?? 'invalid_config' };
}
