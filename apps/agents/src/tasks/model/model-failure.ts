import { ApiError } from '@signalbox/contracts';
import type { Fail } from '../steps/next.js';

/** Why a task ends when the model could not be asked; null when it is not the model's fault and may be tried again. */
export function failureOfModel(error: unknown): Fail | null {
  if (!(error instanceof ApiError)) return null;
  const { kind, message } = error;
  if (kind === 'timeout') return { kind: 'fail', failure_class: 'timeout', error_code: 'timeout', message };
  // A service of ours that is away is no failure of a provider: the task is tried again when it may be back.
  return kind === 'internal' || kind === 'unavailable'
    ? null
    : { kind: 'fail', failure_class: 'provider', error_code: 'provider_error', message };
}
