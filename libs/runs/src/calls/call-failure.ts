import { ApiError, ERROR_CODES, type ErrorCode, type ErrorKind, type FailureClass } from '@signalbox/contracts';

/** Why a call of a run to another service failed. */
export interface CallFailure {
  failure_class: FailureClass;
  error_code: ErrorCode | null;
}

/** The id of the request that a failed model call is recorded as; null for one that was refused before it was made. */
export const requestIdOf = (error: unknown): string | null =>
  error instanceof ApiError ? (error.extras.headers?.['X-Request-Id'] ?? null) : null;

/** Kinds of provider errors; `refused` is a response format that its model cannot produce. */
const PROVIDER_KINDS: readonly ErrorKind[] = ['bad_upstream', 'rate_limited', 'refused'];

/**
 * The failure class and code of a failed call: those of the agent or workflow behind it when there is one. Null for a
 * failure of the platform, and for a call that was refused.
 */
export function callFailureOf({ kind, extras: { failureClass, code } }: ApiError): CallFailure | null {
  if (failureClass) return { failure_class: failureClass, error_code: ERROR_CODES.find((own) => own === code) ?? null };
  if (kind === 'timeout') return { failure_class: 'timeout', error_code: 'timeout' };
  if (PROVIDER_KINDS.includes(kind)) return { failure_class: 'provider', error_code: 'provider_error' };
  return null;
}
