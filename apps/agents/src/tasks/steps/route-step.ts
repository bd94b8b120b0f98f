import type { Message, Route, ToolCall } from '@signalbox/contracts';
import type { TaskChild } from '../../sub-agents/index.js';
import { capabilitiesOf } from '../model/capabilities.js';
import {
  type ActionStep,
  toolResultText,
  type LoopState,
  type ModelStep,
  resultOf,
  type Step,
  textOf,
} from '../model/conversation.js';
import type { AskArguments, Fail, ModelAnswered, Next } from './next.js';
import { type NamedAction, parametersOf } from '../../actions/index.js';

const misconfigured = (message: string): Fail => ({
  kind: 'fail',
  failure_class: 'internal',
  error_code: 'invalid_config',
  message,
});

const textToAnswer = (loop: LoopState): string => {
  const asked = loop.input.findLast(({ role }) => role === 'user');
  return asked ? textOf(asked) : '';
};

const callTo = (name: string, given: Record<string, unknown>): ToolCall => ({
  id: 'route',
  type: 'function',
  function: { name, arguments: JSON.stringify(given) },
});

export function answerOf(loop: LoopState, steps: readonly Step[], step: ActionStep): Next {
  if (step.status === 'ERROR' || step.status === 'TIMEOUT') {
    const { failure_class = null, error_code = null, error_message } = step;
    return {
      kind: 'fail',
      failure_class: failure_class ?? (step.status === 'TIMEOUT' ? 'timeout' : 'internal'),
      error_code,
      message: error_message ?? 'the capability failed',
    };
  }
  const asked = steps.findLast((known): known is ModelStep => known.kind === 'model');
  const message: Message = { role: 'assistant', content: step.background ? toolResultText(step) : resultOf(step) };
  return { kind: 'complete', message, model: asked?.model ?? loop.agent.model ?? '', unchecked: true };
}

/** `none` is an empty answer, not a failure. */
export function routedStep(loop: LoopState, steps: readonly Step[], route: Route): Next | AskArguments | ModelAnswered {
  const done = steps.findLast((step): step is ActionStep => step.kind === 'action');
  if (done) return answerOf(loop, steps, done);
  const { actions, children } = capabilitiesOf(loop.agent);
  if (route.type === 'agent')
    return toChild(
      loop,
      children.find(({ child }) => child.child_agent_id === route.agent_id),
    );
  if (route.type === 'action')
    return toAction(
      loop,
      steps,
      actions.find(({ action }) => action.id === route.action_id),
    );
  return { kind: 'complete', message: { role: 'assistant', content: '' }, model: loop.agent.model ?? '' };
}

function toChild(loop: LoopState, named: { tool: string; child: TaskChild } | undefined): Next {
  if (!named) return misconfigured('the sub-agent of the route does not exist');
  const call = callTo(named.tool, { message: textToAnswer(loop) });
  return { kind: 'child', step_no: 1, call, child: named.child, messages: [...loop.input] };
}

/** An action without arguments is run at once; otherwise the model fills them in. */
function toAction(
  loop: LoopState,
  steps: readonly Step[],
  named: NamedAction | undefined,
): Next | AskArguments | ModelAnswered {
  if (!named) return misconfigured('the action of the route is disabled or does not exist');
  const { properties } = parametersOf(named.action);
  const names = Object.keys(properties);
  const free = named.action.action_type === 'llm' && names.length === 1 && names[0] === 'input';
  if (names.length === 0 || free) {
    const call = callTo(named.tool, free ? { input: textToAnswer(loop) } : {});
    return { kind: 'action', step_no: 1, call, chosen: named };
  }
  const asked = steps.findLast((step): step is ModelStep => step.kind === 'model');
  if (!asked) return { kind: 'ask', only: named };
  const call = asked.message.tool_calls?.[0];
  if (!call) return { kind: 'answered', step: asked, only: named };
  return { kind: 'action', step_no: asked.step_no + 1, call, chosen: named };
}
