import type { Message, Route, ToolCall } from '@signalbox/contracts';
import { capabilitiesOf, type TaskChild } from '../model/capabilities.js';
import { type ActionStep, fedBack, type ModelStep, type Step, type LoopState } from '../model/conversation.js';
import { type SubAgentRefusedError, type AskArguments, fail, type Next } from './next.js';
import { type NamedAction, parametersOf } from '../model/tools.js';
import { textOf } from '../model/final-answer.js';

const lost = (message: string) => fail('child_failed', message);

const textToAnswer = (brief: LoopState): string => {
  const asked = brief.input.findLast(({ role }) => role === 'user');
  return asked ? textOf(asked) : '';
};

const callTo = (name: string, given: Record<string, unknown>): ToolCall => ({
  id: 'route',
  type: 'function',
  function: { name, arguments: JSON.stringify(given) },
});

/** The answer of a capability that answers alone: what it gave, or its failure. */
export function answerOf(brief: LoopState, steps: readonly Step[], step: ActionStep): Next {
  if (step.status === 'ERROR' || step.status === 'TIMEOUT') {
    const why = step.error_message ?? 'the capability failed';
    if (step.child_task_id) return { ...lost(why), failure_class: step.failure_class ?? 'internal' };
    return step.status === 'TIMEOUT'
      ? { kind: 'fail', failure_class: 'timeout', error_code: 'timeout', message: why }
      : { kind: 'fail', failure_class: 'provider', error_code: 'provider_error', message: why };
  }
  const asked = steps.findLast((known): known is ModelStep => known.kind === 'model');
  const message: Message = { role: 'assistant', content: fedBack(step) };
  return { kind: 'complete', message, model: asked?.model ?? brief.agent.model ?? '', unchecked: true };
}

/**
 * What comes next on a route that names who answers. Chosen: `none` is an empty answer, not a failure: the rules
 * decided that nobody should speak.
 */
export function routedStep(
  brief: LoopState,
  steps: readonly Step[],
  route: Route,
): Next | AskArguments | SubAgentRefusedError {
  const done = steps.findLast((step): step is ActionStep => step.kind === 'action');
  if (done) return answerOf(brief, steps, done);
  const { actions, children } = capabilitiesOf(brief.agent);
  if (route.type === 'agent')
    return toChild(
      brief,
      children.find(({ child }) => child.child_agent_id === route.agent_id),
    );
  if (route.type === 'action')
    return toAction(
      brief,
      steps,
      actions.find(({ action }) => action.id === route.action_id),
    );
  return { kind: 'complete', message: { role: 'assistant', content: '' }, model: brief.agent.model ?? '' };
}

function toChild(brief: LoopState, named: { tool: string; child: TaskChild } | undefined): Next {
  if (!named) return lost('the route leads to a sub-agent that is gone');
  const call = callTo(named.tool, { message: textToAnswer(brief) });
  return { kind: 'child', step_no: 1, call, child: named.child, messages: [...brief.input] };
}

/** An action that needs nothing is run at once; the arguments of any other are for the model to fill in. */
function toAction(
  brief: LoopState,
  steps: readonly Step[],
  named: NamedAction | undefined,
): Next | AskArguments | SubAgentRefusedError {
  if (!named) return lost('the route leads to an action that is disabled or gone');
  const { properties } = parametersOf(named.action);
  const names = Object.keys(properties);
  const free = named.action.action_type === 'llm' && names.length === 1 && names[0] === 'input';
  if (names.length === 0 || free) {
    const call = callTo(named.tool, free ? { input: textToAnswer(brief) } : {});
    return { kind: 'action', step_no: 1, call, chosen: named };
  }
  const asked = steps.findLast((step): step is ModelStep => step.kind === 'model');
  if (!asked) return { kind: 'ask', only: named };
  const call = asked.message.tool_calls?.[0];
  if (!call) return { kind: 'answered', step: asked };
  return { kind: 'action', step_no: asked.step_no + 1, call, chosen: named };
}
