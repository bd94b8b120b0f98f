import type { ExternalTask, ExternalTrace, Message } from '@signalbox/contracts';
import { firstTextOf, type RunEvent, shownFirst } from '@signalbox/runs';
import type { REPORTED_COLUMNS } from './external-tasks.sql.js';

export interface ReportedTask {
  trace: Omit<ExternalTrace, 'tasks'>;
  task: ExternalTask;
  agentId: number;
}

export interface TaskState {
  status: 'RUNNING' | 'COMPLETED' | 'FAILED';
  completed_at: number | null;
  output: string | null;
  failure_class: string | null;
  error_message: string | null;
}

export interface PlacedTask extends ReportedTask {
  session: number;
  step: number | null;
  state: TaskState;
  version: string | null;
  reported_version: string | null;
  last_seq: number;
}

interface TimelineEvent {
  type: string;
  at: number;
  data: Record<string, unknown>;
}

export function stateOf({ trace, task }: ReportedTask): TaskState {
  const output = task.output && JSON.stringify(task.output);
  const open = { failure_class: null, error_message: null };
  if (!trace.is_closed) return { status: 'RUNNING', completed_at: null, output, ...open };
  const completed_at = Math.max(task.started_at, task.ended_at);
  const { failure_class, error_message } = task;
  if (failure_class === null) return { status: 'COMPLETED', completed_at, output, ...open };
  return { status: 'FAILED', completed_at, output, failure_class, error_message };
}

/** Null without messages: a process of an earlier release may add them, which does not write this column. */
function firstMessageOf({ input_messages }: ExternalTask): string | null {
  return input_messages.length > 0 ? shownFirst(firstTextOf(input_messages as unknown as Message[])) : null;
}

export function rowOf({ trace, task, agentId, state, ...place }: PlacedTask) {
  const { usage } = task;
  return {
    agent_id: agentId,
    parent_task_id: task.parent_task_id,
    parent_step: place.step,
    session_no: place.session,
    session_id: task.session_id,
    status: state.status,
    version: place.version,
    reported_version: place.reported_version,
    release: task.release,
    application_id: trace.application.id,
    input_messages: JSON.stringify(task.input_messages),
    first_message: firstMessageOf(task),
    output: state.output,
    metadata: JSON.stringify(task.metadata),
    model: task.model,
    iterations: task.iterations,
    prompt_tokens: usage.prompt_tokens,
    completion_tokens: usage.completion_tokens,
    total_tokens: usage.total_tokens,
    cost: usage.cost,
    failure_class: state.failure_class,
    error_message: state.error_message,
    started_at: task.started_at,
    completed_at: state.completed_at,
    trigger: trace.is_test ? 'TEST' : 'EXTERNAL',
    depth: task.parent_task_id === null ? 0 : 1,
    last_seq: place.last_seq,
  } satisfies Record<keyof typeof REPORTED_COLUMNS, string | number | null>;
}

interface TimelineRow extends TimelineEvent {
  id: string;
  session: number;
}

/**
 * In the order of time, because a run is shown with its sub-agents in the order of the rows. Within a task its own
 * order counts, whatever its clocks say.
 */
export function timelinesOf(tasks: readonly PlacedTask[]): TimelineRow[] {
  const placed = tasks.flatMap((task) => {
    let reached = 0;
    return timelineOf(task).map((event) => {
      reached = Math.max(reached, event.at);
      return { reached, row: { id: task.task.id, session: task.session, ...event } };
    });
  });
  return placed.sort((a, b) => a.reached - b.reached).map(({ row }) => row);
}

function timelineOf({ task, state }: PlacedTask): TimelineEvent[] {
  const at = task.started_at;
  const end = Math.max(at, task.ended_at);
  return [
    { type: 'task_start', at, data: { status: 'RUNNING' } },
    ...messagesOf(task).map((data) => ({ type: 'message', at, data })),
    ...task.timeline,
    ...endEvents(state, task).map((event) => ({ ...event, at: end })),
  ];
}

const messagesOf = ({ input_messages }: ExternalTask): { role: unknown; content: unknown }[] =>
  input_messages.map(({ role, content }) => ({ role, content: content ?? '' }));

function endEvents({ status, failure_class, error_message }: TaskState, { output }: ExternalTask) {
  if (status === 'RUNNING') return [];
  const end = { type: 'task_end', data: { status } };
  if (status === 'FAILED') return [{ type: 'error', data: { message: error_message ?? '', failure_class } }, end];
  return [end, { type: 'message', data: { role: 'assistant', content: (output as Message | null)?.content ?? '' } }];
}

export const startOf = (agent_id: number, session_id: string, version: string | null): RunEvent => ({
  event: { type: 'task.started', data: { agent_id, session_id, ...(version === null ? {} : { version }) } },
});

export function endOf({ id, output, usage, session_id, model, ended_at }: ExternalTask, state: TaskState): RunEvent {
  const { failure_class, error_message } = state;
  if (state.status === 'FAILED')
    return {
      event: { type: 'task.failed', data: { failure_class, error_code: null, message: error_message ?? '' } },
    };
  const message = output ?? { role: 'assistant', content: '' };
  const created = Math.floor(ended_at / 1000);
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  const result = { id, task_id: id, session_id, object: 'chat.completion', created, model, choices, usage };
  return { event: { type: 'task.completed', data: { result } } };
}
