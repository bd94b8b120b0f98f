import { ApiError } from '@signalbox/contracts';
import { RuleTooCostlyError } from '../../routing/costly-rule.js';
import type { Fail } from '../steps/next.js';

/** Why a task ends when a model call or its routing failed; null when the step may succeed if it is tried again. */
export function failureOfModel(error: unknown): Fail | null {
  if (!(error instanceof ApiError)) return null;
  const { kind, message } = error;
  if (error instanceof RuleTooCostlyError)
    return { kind: 'fail', failure_class: 'internal', error_code: 'rule_too_costly', message };
  if (kind === 'timeout') return { kind: 'fail', failure_class: 'timeout', error_code: 'timeout', message };
  // A service of ours that is away is no failure of a provider: the task is tried again when it may be back.
  return kind === 'internal' || kind === 'unavailable'
    ? null
    : { kind: 'fail', failure_class: 'provider', error_code: 'provider_error', message };
}
