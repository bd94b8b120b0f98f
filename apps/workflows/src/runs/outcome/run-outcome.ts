import type { ErrorCode, FailureClass } from '@signalbox/contracts';
import type { FailedCalls } from './failed-call.js';

/** The output of a run. */
export interface CompletedOutcome {
  status: 'COMPLETED';
  output: unknown;
  transformed_session: unknown;
  transform_error: string | null;
}
/** The failure of a run. */
export interface FailedOutcome {
  status: 'FAILED';
  failure_class: FailureClass;
  error_code: ErrorCode | null;
  error_message: string;
}
/** The end of a run at its time limit. */
export interface TimedOutOutcome {
  status: 'TIMED_OUT';
  error_message: string;
}
/** The outcome of a run. */
export type RunOutcome = CompletedOutcome | FailedOutcome | TimedOutOutcome;

const failed = (failure_class: FailureClass, error_code: ErrorCode | null, error_message: string): FailedOutcome => ({
  status: 'FAILED',
  failure_class,
  error_code,
  error_message,
});

/** The end of a run whose secrets were lost with the process that held them. */
export const SECRETS_UNAVAILABLE = failed(
  'internal',
  'secrets_unavailable',
  'the process that held the secrets of the run has died',
);
/** The end of a run that has lost its worker too often. */
export const INTERRUPTED = failed('internal', 'interrupted', 'the worker of the run was lost five times');

/** A script that takes its runner with it, in a way that the runner cannot see, is not executed for ever. */
export const MAX_LOST_EXECUTIONS = 20;
/** The end of a run whose runners were lost again and again. */
export const EXECUTIONS_LOST = failed(
  'internal',
  'interrupted',
  `the run has lost its runner ${MAX_LOST_EXECUTIONS} times`,
);
/** The end of a run that begins after the time of what has called it. */
export const OUT_OF_TIME: TimedOutOutcome = {
  status: 'TIMED_OUT',
  error_message: 'the time of the task or run that has called this one is over',
};

/** The end of a run whose output does not fit its schema. */
export const badOutput = (problem: string): FailedOutcome =>
  failed('quality', 'output_schema', `the output does not fit output_schema: ${problem}`);

/** How a script ended that did not return a value. */
export interface ScriptFailure {
  status: 'failed' | 'timed_out';
  /** Only of a script that failed. */
  error_code?: 'script_error' | 'sandbox' | 'script_invalid';
  message: string;
  line?: number;
}

/**
 * The outcome of a script that did not return a value. A call whose exception the script did not catch passes its class
 * and code on.
 */
export function failureOf(result: ScriptFailure, calls: FailedCalls): FailedOutcome | TimedOutOutcome {
  if (result.status === 'timed_out') return { status: 'TIMED_OUT', error_message: result.message };
  const message = result.line === undefined ? result.message : `line ${result.line}: ${result.message}`;
  const uncaught = result.error_code === 'script_error' ? calls.find(result.message) : null;
  return uncaught
    ? failed(uncaught.failure_class, uncaught.error_code, message)
    : failed('sandbox', 'script_error', message);
}
