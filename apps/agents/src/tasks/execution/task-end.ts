import {
  ApiError,
  type ErrorCode,
  type ErrorKind,
  type FailureClass,
  type Invocation,
  type Message,
  type TaskStatus,
  type Usage,
} from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import { type ColumnValues, cutText, type RunEvent, type StatementPart } from '@signalbox/runs';
import { textOf } from '../model/conversation.js';
import { delta, undelivered } from '../steps/step-events.js';
import type { TaskRuns } from '../task-runs.repository.js';
import type { LockedTask } from './running-task.js';
import type { CompletedOutcome, FailedOutcome, Outcome } from './task-outcome.js';

export interface EndedTask {
  id: string;
  session_id: string;
  status: TaskStatus;
  output: Message | null;
  structured_output: unknown;
  model: string | null;
  usage: Usage;
  failure_class: FailureClass | null;
  error_code: ErrorCode | null;
  error_message: string | null;
  /** Known where the task was read, not where it has just ended. */
  started_at?: number | null;
  completed_at: number | null;
  hook_expires_at?: number | null;
}

export const invocationHeaders = (task: { id: string; session_id: string }): Record<string, string> => ({
  'X-Service-Task-Id': task.id,
  'X-Service-Session-Id': task.session_id,
});

export function invocationOf(task: EndedTask): Invocation {
  const message: Message = { role: 'assistant', content: task.output?.content ?? '' };
  return {
    id: task.id,
    task_id: task.id,
    session_id: task.session_id,
    object: 'chat.completion',
    created: Math.floor((task.completed_at ?? 0) / 1000),
    model: task.model ?? '',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage: task.usage,
    structured_output: task.structured_output ?? null,
  };
}

export const waitingInvocation = ({ id, session_id, status, hook_expires_at }: EndedTask): Invocation => ({
  task_id: id,
  session_id,
  status,
  ...(hook_expires_at == null ? {} : { hook_expires_at }),
});

const BY_CODE: Partial<Record<ErrorCode, ErrorKind>> = {
  output_schema: 'refused',
  max_iterations: 'refused',
  budget_exceeded: 'refused',
  depth_exceeded: 'refused',
  rule_too_costly: 'refused',
  // The same status as for a refusal before the task was accepted.
  model_not_found: 'not_found',
  application_disabled: 'conflict',
  invalid_config: 'refused',
};
const BY_CLASS: Partial<Record<FailureClass, ErrorKind>> = { provider: 'bad_upstream', timeout: 'timeout' };

export function invocationError(task: EndedTask): ApiError {
  const { error_code: code, error_message: message, failure_class: failureClass } = task;
  const extras = {
    headers: invocationHeaders(task),
    usage: task.usage,
    ...(code ? { code } : {}),
    ...(failureClass ? { failureClass } : {}),
  };
  if (task.status === 'CANCELLED') {
    const cause = { code: 'cancelled', failureClass: 'internal' } as const;
    return new ApiError('conflict', message ?? `task ${task.id} was cancelled`, { ...extras, ...cause });
  }
  const kind =
    (task.error_code && BY_CODE[task.error_code]) ?? (task.failure_class && BY_CLASS[task.failure_class]) ?? 'internal';
  const text = message ?? `task ${task.id} failed`;
  const details = kind === 'refused' && code ? { details: [{ field: code, message: text }] } : {};
  return new ApiError(kind, text, { ...extras, ...details });
}

/** The caller has waited as long as it may; the task continues. */
export const stillRunning = (task: { id: string; session_id: string }): ApiError =>
  new ApiError('timeout', `task ${task.id} still runs`, { headers: invocationHeaders(task) });

const MAX_MESSAGE = 4000;

export interface StepWrites {
  log: readonly RunEvent[];
  values: ColumnValues;
  parts: readonly StatementPart[];
  usage: Usage;
}

export const withoutStep = ({ usage }: LockedTask, log: readonly RunEvent[] = []): StepWrites => ({
  log,
  values: {},
  parts: [],
  usage,
});

/** The transaction must have locked the task; returns it as it has ended. */
export async function endIn(
  runs: TaskRuns,
  tx: Tx,
  task: LockedTask,
  outcome: Outcome,
  step: StepWrites = withoutStep(task),
): Promise<EndedTask> {
  const isAnswer = outcome.status === 'COMPLETED';
  const ended = isAnswer ? completed(task, outcome, step.usage) : failed(task, outcome, step.usage);
  const log = isAnswer ? completedLog(outcome, ended) : failedLog(outcome, ended);
  await runs.writes.move(
    tx,
    task,
    isAnswer ? 'complete' : 'fail',
    { ...step.values, completed_at: task.now, ...(isAnswer ? answerColumns(outcome) : failureColumns(ended)) },
    { log: [...step.log, ...log], parts: step.parts },
  );
  return ended;
}

const answerColumns = ({ output, structured_output, model }: CompletedOutcome): ColumnValues => ({
  output: JSON.stringify(output),
  structured_output: JSON.stringify(structured_output ?? null),
  model,
});

const failureColumns = ({ failure_class, error_code, error_message }: EndedTask): ColumnValues => ({
  failure_class,
  error_code,
  error_message,
});

function completed(task: LockedTask, { output, structured_output, model }: CompletedOutcome, usage: Usage): EndedTask {
  const { id, session_id, now } = task;
  const answer = { status: 'COMPLETED' as const, output, structured_output: structured_output ?? null, model };
  const failure = { failure_class: null, error_code: null, error_message: null };
  return { id, session_id, ...answer, usage, ...failure, completed_at: now };
}

function failed(
  task: LockedTask,
  { failure_class, error_code, error_message }: FailedOutcome,
  usage: Usage,
): EndedTask {
  const { id, session_id, now } = task;
  const failure = { failure_class, error_code, error_message: cutText(error_message, MAX_MESSAGE) };
  const answer = { status: 'FAILED' as const, output: null, structured_output: null, model: null };
  return { id, session_id, ...answer, usage, ...failure, completed_at: now };
}

const completedLog = (answered: CompletedOutcome, ended: EndedTask): RunEvent[] => [
  ...undeliveredAnswer(answered),
  {
    event: { type: 'task.completed', data: { result: invocationOf(ended) } },
    timeline: { type: 'task_end', data: { status: ended.status } },
  },
  // The answer is the last message of the timeline, even when it did not come from a model.
  { timeline: { type: 'message', data: { role: 'assistant', content: answered.output.content ?? '' } } },
];

const failedLog = (
  { failure_class, error_code, error_message: message }: FailedOutcome,
  ended: EndedTask,
): RunEvent[] => [
  {
    event: { type: 'task.failed', data: { failure_class, error_code, message } },
    timeline: { type: 'error', data: { message, failure_class } },
  },
  { timeline: { type: 'task_end', data: { status: ended.status } } },
];

/** The deltas that clients have not received; an answer without text has one empty delta. */
function undeliveredAnswer({ output, step, delivered }: CompletedOutcome): RunEvent[] {
  const text = textOf(output);
  return text === '' && !delivered?.stale && !delivered?.text
    ? [delta('', step, false)]
    : undelivered(text, step, delivered);
}
