import { ApiError, ERROR_CODES, type ErrorCode, type ErrorKind, type FailureClass } from '@signalbox/contracts';

export interface CallFailure {
  failure_class: FailureClass;
  error_code: ErrorCode | null;
}

/** Of the request that records a failed model call; null when it was refused before. */
export const requestIdOf = (error: unknown): string | null =>
  error instanceof ApiError ? (error.extras.headers?.['X-Request-Id'] ?? null) : null;

/** `refused` is a response format that the model cannot produce. */
const PROVIDER_KINDS: readonly ErrorKind[] = ['bad_upstream', 'rate_limited', 'refused'];

/**
 * Those of the agent or workflow behind the call when there is one. Null for a failure of the platform, and for a
 * refused call.
 */
export function callFailureOf({ kind, extras: { failureClass, code } }: ApiError): CallFailure | null {
  if (failureClass) return { failure_class: failureClass, error_code: ERROR_CODES.find((own) => own === code) ?? null };
  if (kind === 'timeout') return { failure_class: 'timeout', error_code: 'timeout' };
  if (PROVIDER_KINDS.includes(kind)) return { failure_class: 'provider', error_code: 'provider_error' };
  return null;
}
