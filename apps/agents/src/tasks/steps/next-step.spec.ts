import type { ActionStep, LoopState, ModelStep, Step } from '../model/conversation.js';
import { iterationsOf, nextStep } from './next-step.js';
import type { TaskAction } from '../../actions/index.js';

const action = (change: Partial<TaskAction> = {}): TaskAction => ({
  id: 5,
  action_name: 'find',
  action_type: 'api',
  description: '',
  enabled: true,
  action_config: { endpoint: '/x' },
  meta: {},
  is_default: false,
  action_result_type: 'gather_info',
  invocation_mode: 'foreground',
  ...change,
});
const loop = (change: Partial<LoopState> = {}, actions = [action()]): LoopState => ({
  agent: { system_prompt: null, strategy_prompt_addendum: null, model: null, agent_config: {}, actions },
  history: [],
  input: [{ role: 'user', content: 'q' }],
  responseFormat: null,
  maxIterations: 2,
  maxCost: null,
  ...change,
});
const usage = (cost: number | null) => ({ prompt_tokens: 1, completion_tokens: 1, total_tokens: 2, cost });
const answer = (step_no: number, problem: string | null = null): ModelStep => ({
  kind: 'model',
  step_no,
  message: { role: 'assistant', content: 'a' },
  model: 'm',
  usage: usage(1),
  problem,
});
const chose = (step_no: number, ...names: string[]): ModelStep => ({
  ...answer(step_no),
  message: {
    role: 'assistant',
    content: null,
    tool_calls: names.map((name, n) => ({ id: `c${n}`, type: 'function', function: { name, arguments: '{}' } })),
  },
});
const ran = (step_no: number): ActionStep => ({
  kind: 'action',
  step_no,
  call_id: 'c0',
  status: 'SUCCESS',
  outcomeOnly: false,
  background: false,
  output: 1,
  error_message: null,
  usage: null,
});

describe('the next step of a task', () => {
  it.each<[string, Step[], Partial<LoopState>, object]>([
    ['nothing is recorded: call the model', [], {}, { kind: 'model', step_no: 1 }],
    [
      'an answer that no retry can repair: fail',
      [{ ...answer(1, 'costly'), unrepairable: true }],
      {},
      { kind: 'fail', error_code: 'output_schema' },
    ],
    ['an answer: complete', [answer(1)], {}, { kind: 'complete' }],
    ['a choice: run it', [chose(1, 'find')], {}, { kind: 'action', step_no: 2, chosen: { tool: 'find' } }],
    ['two choices, one ran: run the other', [chose(1, 'find', 'find'), ran(2)], {}, { kind: 'action', step_no: 3 }],
    ['every choice ran: call the model again', [chose(1, 'find'), ran(2)], {}, { kind: 'model', step_no: 3 }],
    ['an unknown choice: refuse it', [chose(1, 'other')], {}, { refusal: 'there is no action other' }],
    [
      'choices used up the iterations: fail',
      [chose(1, 'find'), ran(2), chose(3, 'find'), ran(4)],
      {},
      { kind: 'fail', error_code: 'max_iterations', failure_class: 'quality' },
    ],
    [
      'the answer came with the last iteration: complete',
      [chose(1, 'find'), ran(2), answer(3)],
      {},
      { kind: 'complete' },
    ],
    [
      'an answer that does not fit: call the model again',
      [answer(1, 'bad')],
      { maxIterations: 1 },
      { kind: 'model', step_no: 2 },
    ],
    [
      'two answers that do not fit: call the model again',
      [answer(1, 'bad'), answer(2, 'bad')],
      { maxIterations: 1 },
      { kind: 'model' },
    ],
    [
      'three answers that do not fit: fail',
      [answer(1, 'bad'), answer(2, 'bad'), answer(3, 'bad')],
      {},
      { kind: 'fail', error_code: 'output_schema' },
    ],
    ['a repaired answer: complete', [answer(1, 'bad'), answer(2)], { maxIterations: 1 }, { kind: 'complete' }],
    ['the cost is at the cap: continue', [chose(1, 'find'), ran(2)], { maxCost: 1 }, { kind: 'model' }],
    [
      'the cost is over the cap: no model is called',
      [chose(1, 'find'), ran(2)],
      { maxCost: 0.5 },
      { error_code: 'budget_exceeded' },
    ],
    [
      'the cost is over the cap: the chosen action still runs',
      [chose(1, 'find')],
      { maxCost: 0.5 },
      { kind: 'action' },
    ],
    ['the cost of the answer is over the cap: it is returned', [answer(1)], { maxCost: 0.5 }, { kind: 'complete' }],
  ])('%s', (_name, steps, change, expected) => {
    expect(nextStep(loop(change), steps)).toMatchObject(expected);
  });

  it('forces the default action in the first call only', () => {
    const grounded = (steps: Step[], maxIterations = 2) =>
      nextStep(loop({ maxIterations }, [action({ is_default: true })]), steps);
    expect(grounded([])).toMatchObject({ tool_choice: { function: { name: 'find' } } });
    expect(grounded([chose(1, 'find'), ran(2)])).not.toHaveProperty('tool_choice');
    expect(grounded([], 1)).not.toHaveProperty('tool_choice');
  });

  it('offers only the action of a route again after an answer that does not fit', () => {
    const taken = { action_config: { endpoint: '/x/{id}', parameters: { id: { type: 'string' } } } };
    const actions = [action(taken), action({ id: 6, action_name: 'remove' })];
    const route = { type: 'action', action_id: 5 } as const;
    const offered = (steps: Step[]) => {
      const next = nextStep(loop({ route }, actions), steps);
      return next.kind === 'model' && [next.tools.map((tool) => tool.function.name), next.tool_choice?.function.name];
    };
    expect(offered([])).toEqual([['find'], 'find']);
    expect(offered([answer(1, 'bad')])).toEqual([['find'], 'find']);
  });

  it('refuses the thirty-third call of one answer', () => {
    const names = Array.from({ length: 33 }, () => 'find');
    const steps = [chose(1, ...names), ...Array.from({ length: 32 }, (_, n) => ran(n + 2))];
    expect(nextStep(loop(), steps)).toMatchObject({ step_no: 34, refusal: 'too many actions at once' });
  });

  it('does not count retries of an answer that did not fit as iterations', () => {
    expect(iterationsOf([chose(1, 'find'), ran(2), answer(3, 'bad'), answer(4)])).toBe(2);
  });

  it('prefers the model of the step to the model of the agent', () => {
    const config = { steps: { orchestrate: { model: 'chooser' } } };
    const base = loop();
    expect(nextStep({ ...base, agent: { ...base.agent, model: 'm', agent_config: config } }, [])).toMatchObject({
      model: 'chooser',
    });
  });
});
