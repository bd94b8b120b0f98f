import type { ErrorCode, FailureClass, Message, ToolCall } from '@signalbox/contracts';
import { type ActionStep, messagesOf, type ModelStep, type Step, stepConfig, type TaskBrief } from './conversation.js';
import { defaultTool, describeTools, type NamedAction, nameTools, type Tool } from './tools.js';

/** A model has to be asked. */
export interface AskModel {
  kind: 'model';
  step_no: number;
  messages: Message[];
  tools: Tool[];
  tool_choice?: { type: 'function'; function: { name: string } };
  model: string | null;
}
/** An action the model has chosen has to run, or to be refused. */
export interface RunAction {
  kind: 'action';
  step_no: number;
  call: ToolCall;
  chosen?: NamedAction;
  /** Why the call is not made. */
  refusal?: string;
}
/** The task has its answer. */
export interface Complete {
  kind: 'complete';
  message: Message;
  model: string;
}
/** The task cannot get an answer. */
export interface Fail {
  kind: 'fail';
  failure_class: FailureClass;
  error_code: ErrorCode;
  message: string;
}

/** What a task does next. */
export type Next = AskModel | RunAction | Complete | Fail;

const MAX_SECOND_THOUGHTS = 2;
/** Calls of one answer beyond this are refused: a model must not be able to start an avalanche. */
const MAX_CALLS = 32;

const fail = (error_code: ErrorCode, message: string): Fail => ({
  kind: 'fail',
  failure_class: 'quality',
  error_code,
  message,
});

const callsOf = (step: ModelStep): ToolCall[] => step.message.tool_calls ?? [];
const isAnswer = (step: Step): step is ModelStep => step.kind === 'model' && callsOf(step).length === 0;

/** Model calls that count: those that ask again for a fitting answer do not. */
export function iterationsOf(steps: readonly Step[]): number {
  const asked = steps.filter(({ kind }) => kind === 'model').length;
  const misfits = steps.filter((step) => isAnswer(step) && step.problem !== null).length;
  return asked - Math.min(misfits, MAX_SECOND_THOUGHTS);
}

/** What the steps have cost; models without a price cost nothing. */
export const costOf = (steps: readonly Step[]): number => steps.reduce((sum, { usage }) => sum + (usage?.cost ?? 0), 0);

/**
 * What comes after the recorded steps. The whole loop is a function of what is recorded, so a worker that takes a task
 * up goes on exactly where the last one stopped and repeats nothing that has a record.
 */
export function nextStep(brief: TaskBrief, steps: readonly Step[]): Next {
  const last = steps.findLast((step): step is ModelStep => step.kind === 'model');
  if (brief.maxCost !== null && costOf(steps) > brief.maxCost)
    return fail('budget_exceeded', `the task has cost more than ${brief.maxCost} US dollars`);
  if (!last) return ask(brief, steps);
  return isAnswer(last) ? afterAnswer(brief, steps, last) : afterChoice(brief, steps, last);
}

function afterAnswer(brief: TaskBrief, steps: readonly Step[], last: ModelStep): Next {
  if (last.problem === null) return { kind: 'complete', message: last.message, model: last.model };
  const misfits = steps.filter((step) => isAnswer(step) && step.problem !== null).length;
  return misfits > MAX_SECOND_THOUGHTS
    ? fail('output_schema', `the answer does not fit the response format: ${last.problem}`)
    : ask(brief, steps);
}

function afterChoice(brief: TaskBrief, steps: readonly Step[], last: ModelStep): Next {
  const calls = callsOf(last);
  const done = steps.filter((step): step is ActionStep => step.kind === 'action' && step.step_no > last.step_no).length;
  const call = calls[done];
  if (call) return run(brief, last.step_no + 1 + done, call, done);
  return iterationsOf(steps) >= brief.maxIterations
    ? fail('max_iterations', `the task has no answer after ${brief.maxIterations} iterations`)
    : ask(brief, steps);
}

function run(brief: TaskBrief, step_no: number, call: ToolCall, index: number): RunAction {
  const chosen = nameTools(brief.agent.actions).find(({ tool }) => tool === call.function.name);
  if (!chosen) return { kind: 'action', step_no, call, refusal: `there is no action ${call.function.name}` };
  if (index >= MAX_CALLS) return { kind: 'action', step_no, call, chosen, refusal: 'too many actions at once' };
  return { kind: 'action', step_no, call, chosen };
}

function ask(brief: TaskBrief, steps: readonly Step[]): AskModel {
  const named = nameTools(brief.agent.actions);
  // Chosen: the default action grounds every answer, so the first call has to choose it; a task of a single iteration
  // could then never answer, so there it is a matter of choice.
  const first = steps.length === 0 && brief.maxIterations > 1 ? defaultTool(named) : undefined;
  return {
    kind: 'model',
    step_no: (steps.at(-1)?.step_no ?? 0) + 1,
    messages: messagesOf(brief, steps),
    tools: describeTools(named),
    ...(first ? { tool_choice: { type: 'function', function: { name: first } } } : {}),
    model: stepConfig(brief.agent, named.length > 0 ? 'orchestrate' : 'respond').model ?? brief.agent.model,
  };
}
