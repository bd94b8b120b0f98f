import { ApiError, type ErrorCode, type ErrorKind, type FailureClass, type Invocation } from '@signalbox/contracts';
import type { Message, TaskStatus, Usage } from '@signalbox/contracts';

/** The part of a task from which the reply to an invocation is built. */
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
  completed_at: number | null;
  hook_expires_at?: number | null;
}

/** Headers of every reply to an invocation with a task. */
export const invocationHeaders = (task: { id: string; session_id: string }): Record<string, string> => ({
  'X-Service-Task-Id': task.id,
  'X-Service-Session-Id': task.session_id,
});

/** The answer of a completed task in the OpenAI shape. */
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

/** The reply of an invocation whose task waits for a callback. */
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

/** The error of an invocation whose task ended without an answer (docs/api/agents.md). */
export function invocationError(task: EndedTask): ApiError {
  const { error_code: code, error_message: message, failure_class: failureClass } = task;
  const extras = {
    headers: invocationHeaders(task),
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

/** The error after the wait time of a caller; the task continues. */
export const stillRunning = (task: { id: string; session_id: string }): ApiError =>
  new ApiError('timeout', `task ${task.id} still runs`, { headers: invocationHeaders(task) });
