import { ApiError } from '@signalbox/contracts';
import { callFailureOf } from '@signalbox/runs/rules';
import { RuleTooCostlyError } from '../../routing/costly-rule.js';
import type { Fail } from '../steps/next.js';

type Cause = Pick<Fail, 'failure_class' | 'error_code'>;

/** Error codes of the platform that a task keeps. */
const OWN_CODES = ['model_not_found', 'application_disabled'] as const;

/** The cause of a failed model call; null for a failure of the platform, which is retried. */
export function causeOf(error: ApiError): Cause | null {
  const cause = callFailureOf(error);
  if (cause || error.kind === 'internal' || error.kind === 'unavailable') return cause;
  const { code } = error.extras;
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
