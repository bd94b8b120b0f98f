import type { RunEvent } from '@signalbox/runs/rules';
import type { ActionStep, ModelStep, Step } from '../model/conversation.js';
import { textOf } from '../model/final-answer.js';
import type { AskModel, Fail, RunAction } from './next.js';
import { undelivered, type DeliveredText } from '../streaming/delivered-text.js';
import type { NamedAction } from '../model/tools.js';

/** A step that was made, with what clients have heard of it. */
export interface CompletedStep {
  step: Step;
  made: RunAction | null;
  duration_ms: number;
  told?: DeliveredText;
  /** What is stored of the call beside its result. */
  request?: Record<string, unknown>;
}

/** Arguments as the model wrote them: JSON when they are, else the text. */
function argumentsOf({ call }: RunAction): unknown {
  try {
    return JSON.parse(call.function.arguments || '{}');
  } catch {
    return call.function.arguments;
  }
}

/** The beginning of an action; nothing to tell of a call that names none. */
export function actionBegins(next: RunAction): RunEvent[] {
  if (!next.chosen) return [];
  const { id, action_name } = next.chosen.action;
  const data = { action_id: id, action_name, arguments: argumentsOf(next) };
  return [{ event: { type: 'action.started', data }, timeline: { type: 'action_invoked', data } }];
}

/** The result of an action. */
export function actionEnds(
  step: Pick<ActionStep, 'status' | 'output' | 'error_message' | 'failure_class'>,
  action: NamedAction['action'],
  duration_ms: number,
): RunEvent {
  const { id: action_id, action_name } = action;
  const { status, output } = step;
  const shown = output === null || output === undefined ? {} : { output };
  const error = step.error_message === null ? {} : { message: step.error_message };
  const kind = step.failure_class ? { failure_class: step.failure_class } : {};
  return {
    event: { type: 'action.completed', data: { action_id, status, duration_ms, ...shown } },
    timeline: {
      type: 'action_result',
      data: { action_id, action_name, status, duration_ms, ...shown, ...error, ...kind },
    },
  };
}

/** The events of a recorded step; with `answers` it ends its task, whose end has the answer. */
export function stepEvents(recorded: CompletedStep, answers = false): RunEvent[] {
  const { step, made, duration_ms } = recorded;
  if (step.kind === 'model') return [...modelCalled(step, recorded), ...modelTells(step, recorded.told, answers)];
  if (step.background && step.status === 'PENDING') return [];
  if (made?.chosen) return [actionEnds(step, made.chosen.action, duration_ms)];
  return [{ timeline: { type: 'error', data: { message: step.error_message ?? '', failure_class: 'quality' } } }];
}

/** A call of a model: written with its answer, because its request has an id by then. */
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

/** A call of a model that failed. */
export const modelFailed = ({ step_no: step, model }: AskModel, { failure_class }: Fail, duration_ms: number) =>
  callEvents({ step, model, request_id: null }, { usage: null, duration_ms, finish_reason: null, failure_class });

/** What a model says before it chooses is told with the step; an answer is told by the end of its task. */
function modelTells({ message, step_no }: ModelStep, told: DeliveredText | undefined, answers: boolean): RunEvent[] {
  const text = textOf(message);
  const chooses = Boolean(message.tool_calls?.length);
  return [
    ...(chooses ? undelivered(text, step_no, told) : []),
    ...(text && !answers
      ? [{ timeline: { type: 'message', data: { role: 'assistant', content: message.content ?? '' } } }]
      : []),
  ];
}

/** Fields of a session were written. */
export const stateUpdated = (changes: Record<string, unknown>): RunEvent => ({
  event: { type: 'state.updated', data: { changes } },
  timeline: { type: 'state_update', data: { changes } },
});
