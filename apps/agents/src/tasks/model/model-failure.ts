import { ApiError, type ErrorKind } from '@signalbox/contracts';
import { RuleTooCostlyError } from '../../routing/costly-rule.js';
import type { Fail } from '../steps/next.js';

type Cause = Pick<Fail, 'failure_class' | 'error_code'>;

/** Error codes of the platform that a task keeps. */
const OWN_CODES = ['model_not_found', 'application_disabled'] as const;
/** Kinds of provider errors; `refused` is a response format that its model cannot produce. */
const PROVIDER_KINDS: readonly ErrorKind[] = ['bad_upstream', 'rate_limited', 'refused'];

/** The cause of a failed model call; null for a failure of the platform, which is retried. */
export function causeOf({ kind, extras: { code } }: ApiError): Cause | null {
  if (kind === 'timeout') return { failure_class: 'timeout', error_code: 'timeout' };
  if (kind === 'internal' || kind === 'unavailable') return null;
  if (PROVIDER_KINDS.includes(kind)) return { failure_class: 'provider', error_code: 'provider_error' };
  // The configuration changed after the task was accepted, or was stored before it was validated.
  return { failure_class: 'internal', error_code: OWN_CODES.find((own) => own === code) ?? 'invalid_config' };
}

/** The end of a task whose model call or routing failed; null when a retry of the step may succeed. */
export function failureOfModel(error: unknown): Fail | null {
  if (!(error instanceof ApiError)) return null;
  const { message } = error;
  if (error instanceof RuleTooCostlyError)
    return { kind: 'fail', failure_class: 'internal', error_code: 'rule_too_costly', message };
  const cause = causeOf(error);
  return cause && { kind: 'fail', ...cause, message };
}
