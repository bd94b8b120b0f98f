import type { ToolCall } from '@signalbox/contracts';
import { capabilitiesOf, describeCapabilities } from '../model/capabilities.js';
import {
  type ActionStep,
  messagesOf,
  type ModelStep,
  type Step,
  stepConfig,
  stepName,
  type LoopState,
} from '../model/conversation.js';
import { type AskModel, fail, type Next } from './next.js';
import { answerOf, routedStep } from './route-step.js';
import { defaultTool, describeTools, type NamedAction } from '../model/tools.js';

const MAX_SECOND_THOUGHTS = 2;
/** Calls of one answer beyond this are refused: a model must not be able to start an avalanche. */
const MAX_CALLS = 32;

const callsOf = (step: ModelStep): ToolCall[] => step.message.tool_calls ?? [];
const isAnswer = (step: Step): step is ModelStep => step.kind === 'model' && callsOf(step).length === 0;

/** Answers that were asked for again because they do not fit the response format. */
const misfitsIn = (steps: readonly Step[]): number =>
  steps.filter((step) => isAnswer(step) && step.problem !== null && !step.unrepairable).length;

/** Model calls that count: those that ask again for a fitting answer do not. */
export function iterationsOf(steps: readonly Step[]): number {
  const asked = steps.filter(({ kind }) => kind === 'model').length;
  return asked - Math.min(misfitsIn(steps), MAX_SECOND_THOUGHTS);
}

/** What the steps have cost; models without a price cost nothing. */
export const costOf = (steps: readonly Step[]): number => steps.reduce((sum, { usage }) => sum + (usage?.cost ?? 0), 0);

/**
 * What comes after the recorded steps. The whole loop is a function of what is recorded, so a worker that takes a task
 * up goes on exactly where the last one stopped and repeats nothing that has a record.
 */
export function nextStep(brief: LoopState, steps: readonly Step[]): Next {
  const next = unlimitedStep(brief, steps);
  return asksModel(next) && brief.maxCost !== null && costOf(steps) > brief.maxCost
    ? fail('budget_exceeded', `the task has cost more than ${brief.maxCost} US dollars`)
    : next;
}

/** Only what would cost more is refused: an answer that was paid for is given. */
const asksModel = (next: Next): boolean =>
  next.kind === 'model' ||
  next.kind === 'child' ||
  (next.kind === 'action' && next.refusal === undefined && next.chosen?.action.action_type === 'llm');

function unlimitedStep(brief: LoopState, steps: readonly Step[]): Next {
  const last = steps.findLast((step): step is ModelStep => step.kind === 'model');
  const ruined = steps.find((step): step is ActionStep => step.kind === 'action' && step.fatal === true);
  if (ruined) return answerOf(brief, steps, ruined);
  if (brief.route === null) return { kind: 'route' };
  if (brief.route && brief.route.type !== 'llm') {
    const routed = routedStep(brief, steps, brief.route);
    if (routed.kind === 'answered') return afterAnswer(brief, steps, routed.step);
    return routed.kind === 'ask' ? ask(brief, steps, routed.only) : routed;
  }
  if (!last) return ask(brief, steps);
  return isAnswer(last) ? afterAnswer(brief, steps, last) : afterChoice(brief, steps, last);
}

function afterAnswer(brief: LoopState, steps: readonly Step[], last: ModelStep): Next {
  if (last.problem === null) return { kind: 'complete', message: last.message, model: last.model };
  return last.unrepairable || misfitsIn(steps) > MAX_SECOND_THOUGHTS
    ? fail('output_schema', `the answer does not fit the response format: ${last.problem}`)
    : ask(brief, steps);
}

function afterChoice(brief: LoopState, steps: readonly Step[], last: ModelStep): Next {
  const calls = callsOf(last);
  const done = steps.filter((step): step is ActionStep => step.kind === 'action' && step.step_no > last.step_no).length;
  const call = calls[done];
  // Where exactly one capability answers, the first one chosen is the one.
  const alone = brief.agent.execution_mode === 'route' ? steps.at(-1) : undefined;
  if (alone?.kind === 'action') return answerOf(brief, steps, alone);
  if (call) return run(brief, last.step_no + 1 + done, call, done);
  return iterationsOf(steps) >= brief.maxIterations
    ? fail('max_iterations', `the task has no answer after ${brief.maxIterations} iterations`)
    : ask(brief, steps);
}

function run(brief: LoopState, step_no: number, call: ToolCall, index: number): Next {
  const { actions, children, stateTool } = choices(brief);
  const name = call.function.name;
  const chosen = actions.find(({ tool }) => tool === name);
  const asked = children.find(({ tool }) => tool === name);
  if (!chosen && !asked && name !== stateTool)
    return { kind: 'action', step_no, call, refusal: `there is no action ${name}` };
  if (index >= MAX_CALLS)
    return { kind: 'action', step_no, call, ...(chosen ? { chosen } : {}), refusal: 'too many actions at once' };
  if (chosen) return { kind: 'action', step_no, call, chosen };
  return asked ? { kind: 'child', step_no, call, child: asked.child } : { kind: 'state', step_no, call };
}

/** Chosen: writing fields answers nothing, so it is no choice where exactly one capability has to answer. */
const choices = (brief: LoopState) =>
  capabilitiesOf(brief.agent, brief.agent.execution_mode === 'route' ? [] : (brief.fields ?? []));

function ask(brief: LoopState, steps: readonly Step[], only?: NamedAction): AskModel {
  const all = choices(brief);
  const tools = only ? describeTools([only]) : describeCapabilities(all, brief.fields ?? []);
  // Chosen: the default action grounds every answer, so the first call has to choose it; a task of a single iteration
  // could then never answer, so there it is a matter of choice.
  const grounded = steps.length === 0 && brief.maxIterations > 1 ? defaultTool(all.actions) : undefined;
  const first = only?.tool ?? grounded;
  return {
    kind: 'model',
    step_no: (steps.at(-1)?.step_no ?? 0) + 1,
    messages: messagesOf(brief, steps),
    tools,
    ...(first ? { tool_choice: { type: 'function', function: { name: first } } } : {}),
    model: stepConfig(brief.agent, stepName(tools.length > 0, steps)).model ?? brief.agent.model,
  };
}
