import type { ErrorCode, FailureClass, Message } from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import type { RunEvent } from '@signalbox/runs';
import type { Step } from '../model/conversation.js';
import type { Next, RunAction } from '../steps/next.js';
import type { RunningTask } from './running-task.js';
import type { DeliveredText } from '../streaming/delivered-text.js';

/** The answer of a task. */
export interface Answered {
  status: 'COMPLETED';
  output: Message;
  structured_output: unknown;
  model: string;
  /** The step that gave it. */
  step: number;
  /** What of it clients know already. */
  told?: DeliveredText;
}
/** Why a task has none. */
export interface Failed {
  status: 'FAILED';
  failure_class: FailureClass;
  error_code: ErrorCode;
  error_message: string;
}
/** How a task ends. */
export type Outcome = Answered | Failed;

/** An end that no recorded step has led to, with what happened before it. */
export interface EndsWith {
  kind: 'end';
  outcome: Outcome;
  before: RunEvent[];
}
/** What a task does next, or how it ends. */
export type TaskAct = Next | EndsWith;

/** A step with what is stored of it beside its result. */
export interface Recorded {
  step: Step;
  request: Record<string, unknown>;
  duration_ms: number;
  /** The call the step answers, for an action. */
  made: RunAction | null;
  /** Kind of the work that a background action becomes. */
  backgroundKind?: string;
  /** The step had a hook: nobody may call it back any more. */
  hooked?: boolean;
  /** What clients have heard of the step while it was made. */
  told?: DeliveredText;
  /** What else commits with the step; answers what it tells. */
  effect?: (tx: Tx, task: RunningTask) => Promise<RunEvent[]>;
}

/** Beyond this a task has worked too long; what it waited for others does not count. */
export const MAX_TASK_MS = 30 * 60_000;

const failed = (failure: Omit<Failed, 'status'>): Failed => ({ status: 'FAILED', ...failure });

/** The end of a task whose secrets died with the process that held them. */
export const SECRETS_GONE = failed({
  failure_class: 'internal',
  error_code: 'secrets_unavailable',
  error_message: 'the process that held the secrets of the task is gone',
});
/** The end of a task that was called back too late. */
export const HOOK_EXPIRED = failed({
  failure_class: 'timeout',
  error_code: 'webhook_ttl',
  error_message: 'nobody called back in time',
});
/** The end of a task that lost its worker again and again. */
export const INTERRUPTED = failed({
  failure_class: 'internal',
  error_code: 'interrupted',
  error_message: 'the worker of the task was lost five times',
});
/** The end of a task that found no end of its own. */
export const TOO_LONG = failed({
  failure_class: 'timeout',
  error_code: 'timeout',
  error_message: `the task took longer than ${MAX_TASK_MS / 60_000} minutes`,
});
