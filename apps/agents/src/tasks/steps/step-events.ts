import {
  agentEvents,
  type Emission,
  emission,
  isDeeperThan,
  MAX_FOREIGN_DEPTH,
  type Message,
} from '@signalbox/contracts';
import { type RunEvent, stripUnstorable } from '@signalbox/runs/rules';
import { type ActionStep, type ModelStep, type Step, textOf } from '../model/conversation.js';
import type { TaskTrigger } from '../task.js';
import type { AskModel, Fail, RunAction } from './next.js';
import type { DeliveredText } from '../../models/index.js';
import type { NamedAction } from '../../actions/index.js';

export interface CompletedStep {
  step: Step;
  executedCall: RunAction | null;
  duration_ms: number;
  delivered?: DeliveredText;
  isJson?: boolean;
  request?: Record<string, unknown>;
}

interface TaskInput {
  agent_id: number;
  session_id: string;
  version: string | null;
  input_messages: readonly Message[];
}

/** Their text when they are no JSON, or are nested too deeply. */
function argumentsOf({ call: { function: called } }: RunAction): unknown {
  try {
    const value = JSON.parse(called.arguments || '{}') as unknown;
    return isDeeperThan(value, MAX_FOREIGN_DEPTH) ? called.arguments : stripUnstorable(value);
  } catch {
    return called.arguments;
  }
}

export function taskStarted(task: TaskInput): RunEvent[] {
  const { agent_id, session_id, version } = task;
  const data = { agent_id, session_id, ...(version ? { version } : {}) };
  return [
    { event: { type: 'task.started', data }, timeline: { type: 'task_start', data: { status: 'RUNNING' } } },
    ...task.input_messages.map(({ role, content }) => ({
      timeline: { type: 'message', data: { role, content: content ?? null } },
    })),
  ];
}

const shownOf = ({ id, action_name, mcp }: NamedAction['action']) =>
  mcp ? { action_name, action_type: 'mcp' as const, mcp_server_id: mcp.server.id } : { action_id: id, action_name };

export function actionBegins(next: RunAction): RunEvent[] {
  if (!next.chosen) return [];
  const data = { ...shownOf(next.chosen.action), arguments: argumentsOf(next) };
  return [{ event: { type: 'action.started', data }, timeline: { type: 'action_invoked', data } }];
}

export function actionEnds(
  step: Pick<ActionStep, 'status' | 'output' | 'error_message' | 'failure_class'>,
  action: NamedAction['action'],
  duration_ms: number,
): RunEvent {
  const { action_name, ...shownId } = shownOf(action);
  const { status, output } = step;
  const shown = output === null || output === undefined ? {} : { output };
  const error = step.error_message === null ? {} : { message: step.error_message };
  const kind = step.failure_class ? { failure_class: step.failure_class } : {};
  return {
    event: {
      type: 'action.completed',
      data: { ...shownId, ...(action.mcp ? { action_name } : {}), status, duration_ms, ...shown },
    },
    timeline: {
      type: 'action_result',
      data: { ...shownId, action_name, status, duration_ms, ...shown, ...error, ...kind },
    },
  };
}

/** With `answers` the answer is part of the end of its task. */
export function stepEvents(recorded: CompletedStep, answers = false): RunEvent[] {
  const { step, executedCall, duration_ms } = recorded;
  if (step.kind === 'model') return [...modelCalled(step, recorded), ...modelMessage(step, recorded, answers)];
  if (step.background && step.status === 'PENDING') return [];
  if (executedCall?.chosen) return [actionEnds(step, executedCall.chosen.action, duration_ms)];
  return [{ timeline: { type: 'error', data: { message: step.error_message ?? '', failure_class: 'quality' } } }];
}

/** Written with the answer, because the request id is known then. */
function modelCalled({ step_no: step, model, usage, problem }: ModelStep, { request, duration_ms }: CompletedStep) {
  const { request_id = null, finish_reason = null } = request ?? {};
  const poor = problem === null ? {} : { failure_class: 'quality' };
  return callEvents({ step, model, request_id }, { usage, duration_ms, finish_reason, ...poor });
}

function callEvents(
  called: { step: number; model: string | null; request_id: unknown },
  answered: Record<string, unknown> & { duration_ms: number },
): RunEvent[] {
  return [
    { at: Date.now() - answered.duration_ms, timeline: { type: 'model_called', data: called } },
    { timeline: { type: 'model_answered', data: { step: called.step, ...answered } } },
  ];
}

export const modelFailed = (
  { step_no: step, model }: AskModel,
  { failure_class, request_id = null }: Fail,
  duration_ms: number,
) => callEvents({ step, model, request_id }, { usage: null, duration_ms, finish_reason: null, failure_class });

/**
 * Text before tool calls is emitted with the step, unless all that a client reads has to be JSON; an answer is emitted
 * with the end of its task.
 */
function modelMessage(
  { message, step_no }: ModelStep,
  { delivered, isJson = false }: CompletedStep,
  answers: boolean,
): RunEvent[] {
  const text = textOf(message);
  const chooses = Boolean(message.tool_calls?.length);
  return [
    ...(chooses && !isJson ? undelivered(text, step_no, delivered) : []),
    ...(text && !answers
      ? [{ timeline: { type: 'message', data: { role: 'assistant', content: message.content ?? '' } } }]
      : []),
  ];
}

export const stateUpdated = (changes: Record<string, unknown>): RunEvent => ({
  event: { type: 'state.updated', data: { changes } },
  timeline: { type: 'state_update', data: { changes } },
});

/**
 * The deltas of one step form one message; a `restart` delta replaces all earlier ones of the step, after an attempt by
 * another worker or after an interrupted call.
 */
export const delta = (content: string, step: number, restart: boolean): RunEvent => ({
  event: { type: 'message.delta', data: { content, step, ...(restart ? { restart } : {}) } },
});

export function undelivered(
  message: string,
  step: number,
  delivered: DeliveredText = { text: '', stale: false },
): RunEvent[] {
  if (delivered.stale) return [delta(message, step, true)];
  if (!message.startsWith(delivered.text)) return [delta(message, step, true)];
  return message === delivered.text ? [] : [delta(message.slice(delivered.text.length), step, false)];
}

export type TaskRecord = InstanceType<(typeof agentEvents)['declared']['agent_task.queued']['data']>;

type TaskEventName = Extract<keyof (typeof agentEvents)['declared'], `agent_task.${string}`>;

const EVENTS: Partial<Record<TaskTrigger, TaskEventName>> = {
  start: 'agent_task.started',
  wait: 'agent_task.waiting',
  complete: 'agent_task.completed',
  fail: 'agent_task.failed',
  cancel: 'agent_task.cancelled',
};

/** `null` is the acceptance of the task. */
export function taskLifecycle(trigger: TaskTrigger | null, task: TaskRecord): Emission[] {
  const event = trigger === null ? 'agent_task.queued' : EVENTS[trigger];
  return event ? [emission(agentEvents, event, task.id, task)] : [];
}
