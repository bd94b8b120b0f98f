import type { ErrorCode, FailureClass, Message } from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import type { RunEvent } from '@signalbox/runs';
import type { Step } from '../model/conversation.js';
import type { Next, RunAction } from '../steps/next.js';
import type { DeliveredText } from '../../models/index.js';

export interface CompletedOutcome {
  status: 'COMPLETED';
  output: Message;
  structured_output: unknown;
  model: string;
  step: number;
  delivered?: DeliveredText;
}
export interface FailedOutcome {
  status: 'FAILED';
  failure_class: FailureClass;
  error_code: ErrorCode | null;
  error_message: string;
}
export type Outcome = CompletedOutcome | FailedOutcome;

export interface TaskEnd {
  kind: 'end';
  outcome: Outcome;
  before: RunEvent[];
}
export type TaskAct = Next | TaskEnd;

export interface StepRecord {
  step: Step;
  request: Record<string, unknown>;
  duration_ms: number;
  executedCall: RunAction | null;
  backgroundKind?: string;
  /** True when the step had a hook, which is closed with it. */
  hooked?: boolean;
  /** The text of the step that clients have received as deltas. */
  delivered?: DeliveredText;
  /** The answer of the task has to be JSON. */
  isJson?: boolean;
  /** A further write in the transaction of the step; returns its events. */
  effect?: (tx: Tx) => Promise<RunEvent[]>;
}

/** Waiting for callbacks and sub-agents does not count. */
export const MAX_TASK_MS = 30 * 60_000;

const failed = (failure: Omit<FailedOutcome, 'status'>): FailedOutcome => ({ status: 'FAILED', ...failure });

export const SECRETS_UNAVAILABLE = failed({
  failure_class: 'internal',
  error_code: 'secrets_unavailable',
  error_message: 'the process that held the secrets of the task has died',
});
export const HOOK_EXPIRED = failed({
  failure_class: 'timeout',
  error_code: 'webhook_ttl',
  error_message: 'the callback did not arrive in time',
});
export const INTERRUPTED = failed({
  failure_class: 'internal',
  error_code: 'interrupted',
  error_message: 'the worker of the task was lost five times',
});
export const TIMED_OUT = failed({
  failure_class: 'timeout',
  error_code: 'timeout',
  error_message: `the task took longer than ${MAX_TASK_MS / 60_000} minutes, or than what has called it may take`,
});
