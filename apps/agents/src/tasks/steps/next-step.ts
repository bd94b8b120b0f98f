import type { ToolCall } from '@signalbox/contracts';
import { capabilitiesOf, describeCapabilities } from '../model/capabilities.js';
import {
  type ActionStep,
  type LoopState,
  messagesOf,
  type ModelStep,
  type Step,
  stepConfig,
  stepName,
} from '../model/conversation.js';
import { type AskModel, fail, type Fail, type Next } from './next.js';
import { answerOf, routedStep } from './route-step.js';
import { defaultTool, describeTools, type NamedAction } from '../../actions/index.js';

const MAX_SCHEMA_RETRIES = 2;
/** Tool calls of one answer; further ones are refused. */
const MAX_CALLS = 32;

const callsOf = (step: ModelStep): ToolCall[] => step.message.tool_calls ?? [];
const isAnswer = (step: Step): step is ModelStep => step.kind === 'model' && callsOf(step).length === 0;

/** Answers that were retried because they did not fit the response format. */
const schemaFailuresIn = (steps: readonly Step[]): number =>
  steps.filter((step) => isAnswer(step) && step.problem !== null && !step.unrepairable).length;

/** Without model calls that correct an answer. */
export function iterationsOf(steps: readonly Step[]): number {
  const asked = steps.filter(({ kind }) => kind === 'model').length;
  return asked - Math.min(schemaFailuresIn(steps), MAX_SCHEMA_RETRIES);
}

/** Models without a price cost nothing. */
export const costOf = (steps: readonly Step[]): number => steps.reduce((sum, { usage }) => sum + (usage?.cost ?? 0), 0);

/** A function of the recorded steps alone, so another worker continues without repeating any of them. */
export function nextStep(loop: LoopState, steps: readonly Step[]): Next {
  const next = unlimitedStep(loop, steps);
  return isPaid(next) && loop.maxCost !== null && costOf(steps) > loop.maxCost ? overBudget(loop.maxCost) : next;
}

export const overBudget = (maxCost: number | null): Fail =>
  fail('budget_exceeded', `the task has cost more than ${maxCost} US dollars`);

/** A chain that is too deep fails as a whole: retries at each of its levels would make it grow without end. */
const isFatal = ({ fatal = false, error_code, background = false }: ActionStep): boolean =>
  fatal || (error_code === 'depth_exceeded' && !background);

const PAID_ACTIONS: readonly (string | undefined)[] = ['llm', 'maitai_workflow'];

/** An answer that was paid for is still returned. */
export const isPaid = (next: Next | { kind: 'end' }): boolean =>
  next.kind === 'model' ||
  next.kind === 'child' ||
  next.kind === 'route' ||
  (next.kind === 'action' && next.refusal === undefined && PAID_ACTIONS.includes(next.chosen?.action.action_type));

export function unlimitedStep(loop: LoopState, steps: readonly Step[]): Next {
  const last = steps.findLast((step): step is ModelStep => step.kind === 'model');
  const fatalStep = steps.find((step): step is ActionStep => step.kind === 'action' && isFatal(step));
  if (fatalStep) return answerOf(loop, steps, fatalStep);
  if (loop.route === null) return { kind: 'route' };
  if (loop.route && loop.route.type !== 'llm') {
    const routed = routedStep(loop, steps, loop.route);
    if (routed.kind === 'answered') return afterAnswer(loop, steps, routed.step, routed.only);
    return routed.kind === 'ask' ? ask(loop, steps, routed.only) : routed;
  }
  if (!last) return ask(loop, steps);
  return isAnswer(last) ? afterAnswer(loop, steps, last) : afterChoice(loop, steps, last);
}

/** On a route to an action only this one is offered again: any call is run as a call of it. */
function afterAnswer(loop: LoopState, steps: readonly Step[], last: ModelStep, only?: NamedAction): Next {
  if (last.problem === null) return { kind: 'complete', message: last.message, model: last.model };
  return last.unrepairable || schemaFailuresIn(steps) > MAX_SCHEMA_RETRIES
    ? fail('output_schema', `the answer does not fit the response format: ${last.problem}`)
    : ask(loop, steps, only);
}

function afterChoice(loop: LoopState, steps: readonly Step[], last: ModelStep): Next {
  const calls = callsOf(last);
  const done = steps.filter((step): step is ActionStep => step.kind === 'action' && step.step_no > last.step_no).length;
  const call = calls[done];
  // In route mode the first chosen capability gives the answer.
  const alone = loop.agent.execution_mode === 'route' ? steps.at(-1) : undefined;
  if (alone?.kind === 'action') return answerOf(loop, steps, alone);
  if (call) return run(loop, last.step_no + 1 + done, call, done);
  return iterationsOf(steps) >= loop.maxIterations
    ? fail('max_iterations', `the task has no answer after ${loop.maxIterations} iterations`)
    : ask(loop, steps);
}

function run(loop: LoopState, step_no: number, call: ToolCall, index: number): Next {
  const { actions, children, stateTool } = choices(loop);
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

/** Writing fields gives no answer, so route mode has no state tool. */
const choices = (loop: LoopState) =>
  capabilitiesOf(loop.agent, loop.agent.execution_mode === 'route' ? [] : (loop.fields ?? []));

function ask(loop: LoopState, steps: readonly Step[], only?: NamedAction): AskModel {
  const all = choices(loop);
  const tools = only ? describeTools([only]) : describeCapabilities(all, loop.fields ?? []);
  // The default action grounds every answer, so the first call has to choose it. A task of a single iteration could
  // then never answer, so its choice is free.
  const grounded = steps.length === 0 && loop.maxIterations > 1 ? defaultTool(all.actions) : undefined;
  const first = only?.tool ?? grounded;
  return {
    kind: 'model',
    step_no: (steps.at(-1)?.step_no ?? 0) + 1,
    messages: messagesOf(loop, steps),
    tools,
    ...(first ? { tool_choice: { type: 'function', function: { name: first } } } : {}),
    model: stepConfig(loop.agent, stepName(tools.length > 0, steps)).model ?? loop.agent.model,
  };
}
