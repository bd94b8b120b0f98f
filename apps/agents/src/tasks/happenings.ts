import type { ActionStep, Step } from './conversation.js';
import type { RunAction } from './next.js';
import type { NamedAction } from './tools.js';

/** Something that happened in a task, for its stream and its timeline. */
export interface Happening {
  event?: { type: string; data: Record<string, unknown> };
  timeline?: { type: string; data: Record<string, unknown> };
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
export function actionBegins(next: RunAction): Happening[] {
  if (!next.chosen) return [];
  const { id, action_name } = next.chosen.action;
  const data = { action_id: id, action_name, arguments: argumentsOf(next) };
  return [{ event: { type: 'action.started', data }, timeline: { type: 'action_invoked', data } }];
}

/** The result of an action. */
export function actionEnds(
  step: Pick<ActionStep, 'status' | 'output' | 'error_message'>,
  action: NamedAction['action'],
  duration_ms: number,
): Happening {
  const { id: action_id, action_name } = action;
  const { status, output } = step;
  const shown = output === null || output === undefined ? {} : { output };
  const error = step.error_message === null ? {} : { message: step.error_message };
  return {
    event: { type: 'action.completed', data: { action_id, status, duration_ms, ...shown } },
    timeline: { type: 'action_result', data: { action_id, action_name, status, duration_ms, ...shown, ...error } },
  };
}

/** What a recorded step tells. */
export function stepTells(step: Step, made: RunAction | null, duration_ms: number): Happening[] {
  if (step.kind === 'model')
    return step.message.content
      ? [{ timeline: { type: 'message', data: { role: 'assistant', content: step.message.content } } }]
      : [];
  if (step.background && step.status === 'PENDING') return [];
  if (made?.chosen) return [actionEnds(step, made.chosen.action, duration_ms)];
  return [{ timeline: { type: 'error', data: { message: step.error_message ?? '', failure_class: 'quality' } } }];
}
