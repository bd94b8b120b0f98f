import { ApiError } from '@signalbox/contracts';
import { requestIdOf } from '@signalbox/runs/rules';
import { RuleTooCostlyError } from '../routing/index.js';
import { causeOf } from '../models/index.js';
import type { Fail } from '../tasks/index.js';

/** Null when a retry of the step may succeed. */
export function failureOfModel(error: unknown): Fail | null {
  if (!(error instanceof ApiError)) return null;
  const { message } = error;
  if (error instanceof RuleTooCostlyError)
    return { kind: 'fail', failure_class: 'internal', error_code: 'rule_too_costly', message };
  const cause = causeOf(error);
  return cause && { kind: 'fail', ...cause, message, request_id: requestIdOf(error) };
}
