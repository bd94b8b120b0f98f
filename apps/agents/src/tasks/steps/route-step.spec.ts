import type { LoopState } from '../model/conversation.js';
import { routedStep } from './route-step.js';
import type { TaskAction } from '../../actions/index.js';

const action = (
  action_config: Record<string, unknown>,
  action_type: TaskAction['action_type'] = 'api',
): TaskAction => ({
  id: 5,
  action_name: 'find',
  action_type,
  description: '',
  enabled: true,
  action_config,
  meta: {},
  is_default: false,
  action_result_type: 'gather_info',
  invocation_mode: 'foreground',
});
const loop = (actions: TaskAction[] = []): LoopState => ({
  agent: { system_prompt: null, strategy_prompt_addendum: null, model: 'm', agent_config: {}, actions },
  history: [],
  input: [{ role: 'user', content: 'where is it' }],
  responseFormat: null,
  maxIterations: 2,
  maxCost: null,
});
const toAction = { type: 'action', action_id: 5 } as const;

describe('a route', () => {
  it('to none is an empty answer', () => {
    expect(routedStep(loop(), [], { type: 'none' })).toMatchObject({ kind: 'complete', message: { content: '' } });
  });

  it('to an action without arguments runs it at once', () => {
    const next = routedStep(loop([action({ endpoint: '/x' })]), [], toAction);
    expect(next).toMatchObject({ kind: 'action', step_no: 1, call: { function: { arguments: '{}' } } });
  });

  it('to an llm action passes the user message on', () => {
    const next = routedStep(loop([action({ prompt: 'Answer' }, 'llm')]), [], toAction);
    expect(next).toMatchObject({ kind: 'action', call: { function: { arguments: '{"input":"where is it"}' } } });
  });

  it('to an action with arguments calls the model to fill them in', () => {
    const next = routedStep(
      loop([action({ endpoint: '/x/{id}', parameters: { id: { type: 'string' } } })]),
      [],
      toAction,
    );
    expect(next).toMatchObject({ kind: 'ask', only: { tool: 'find' } });
  });

  it.each([toAction, { type: 'agent', agent_id: 3 } as const])('to a missing target fails: %j', (route) => {
    expect(routedStep(loop(), [], route)).toMatchObject({
      kind: 'fail',
      failure_class: 'internal',
      error_code: 'invalid_config',
    });
  });
});
