import type { ErrorCode, FailureClass } from '@signalbox/contracts';
import type { FailedCalls } from './failed-call.js';

export interface CompletedOutcome {
  status: 'COMPLETED';
  output: unknown;
  transformed_session: unknown;
  transform_error: string | null;
}
export interface FailedOutcome {
  status: 'FAILED';
  failure_class: FailureClass;
  error_code: ErrorCode | null;
  error_message: string;
}
export interface TimedOutOutcome {
  status: 'TIMED_OUT';
  error_message: string;
}
export type RunOutcome = CompletedOutcome | FailedOutcome | TimedOutOutcome;

const failed = (failure_class: FailureClass, error_code: ErrorCode | null, error_message: string): FailedOutcome => ({
  status: 'FAILED',
  failure_class,
  error_code,
  error_message,
});

export const SECRETS_UNAVAILABLE = failed(
  'internal',
  'secrets_unavailable',
  'the process that held the secrets of the run has died',
);
export const INTERRUPTED = failed('internal', 'interrupted', 'the worker of the run was lost five times');

/** Stops repeating a script that kills its runner in a way that the runner cannot detect. */
export const MAX_LOST_EXECUTIONS = 20;
export const EXECUTIONS_LOST = failed(
  'internal',
  'interrupted',
  `the run has lost its runner ${MAX_LOST_EXECUTIONS} times`,
);
/** The run begins after the deadline of its caller. */
export const OUT_OF_TIME: TimedOutOutcome = {
  status: 'TIMED_OUT',
  error_message: 'the time of the task or run that has called this one is over',
};

export const badOutput = (problem: string): FailedOutcome =>
  failed('quality', 'output_schema', `the output does not fit output_schema: ${problem}`);

export interface ScriptFailure {
  status: 'failed' | 'timed_out';
  error_code?: 'script_error' | 'sandbox' | 'script_invalid';
  message: string;
  line?: number;
}

/** An uncaught exception of a failed call gives the run the class and code of that call. */
export function failureOf(result: ScriptFailure, calls: FailedCalls): FailedOutcome | TimedOutOutcome {
  if (result.status === 'timed_out') return { status: 'TIMED_OUT', error_message: result.message };
  const message = result.line === undefined ? result.message : `line ${result.line}: ${result.message}`;
  const uncaught = result.error_code === 'script_error' ? calls.find(result.message) : null;
  return uncaught
    ? failed(uncaught.failure_class, uncaught.error_code, message)
    : failed('sandbox', 'script_error', message);
}
