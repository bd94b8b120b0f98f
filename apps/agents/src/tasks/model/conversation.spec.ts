import type { Message } from '@signalbox/contracts';
import { type ActionStep, toolResultText, type LoopState, messagesOf, type TaskAgent } from './conversation.js';

const agent: TaskAgent = {
  system_prompt: 'be kind',
  strategy_prompt_addendum: 'prefer actions',
  model: null,
  agent_config: { steps: { respond: { prompt: 'be brief' } } },
  actions: [],
};
const user = (content: string): Message => ({ role: 'user', content });
const loop: LoopState = {
  agent,
  history: [user('before')],
  input: [user('now')],
  responseFormat: null,
  maxIterations: 3,
  maxCost: null,
};
const ran: ActionStep = {
  kind: 'action',
  step_no: 2,
  call_id: 'c1',
  status: 'SUCCESS',
  outcomeOnly: false,
  background: false,
  output: { a: 1 },
  error_message: null,
  usage: null,
};

describe('the conversation of a task', () => {
  it('begins with the system prompt; the addendum is added when actions can be chosen', () => {
    expect(messagesOf(loop, [])).toEqual([
      { role: 'system', content: 'be kind\n\nbe brief' },
      user('before'),
      user('now'),
    ]);
    const action = { enabled: true, action_name: 'a' } as TaskAgent['actions'][number];
    const chooses = { ...loop, agent: { ...agent, actions: [action] } };
    expect(messagesOf(chooses, [])[0]!.content).toBe('be kind\n\nprefer actions');
  });

  it('reports the problem of an answer that did not fit', () => {
    const answer = { role: 'assistant' as const, content: 'no' };
    const said = messagesOf(loop, [
      { kind: 'model', step_no: 1, message: answer, model: 'm', usage: null, problem: 'it is not JSON' },
    ]);
    expect(said.at(-2)).toEqual(answer);
    expect(said.at(-1)!.content).toContain('it is not JSON');
  });

  it.each<[string, Partial<ActionStep>, string]>([
    ['a result as it is', {}, '{"a":1}'],
    ['text without quotes', { output: 'hi' }, 'hi'],
    ['only success of an action that completes a task', { outcomeOnly: true }, '{"status":"SUCCESS"}'],
    [
      'the error of an action that failed',
      { status: 'ERROR', error_message: 'no', output: null },
      '{"status":"ERROR","error":"no"}',
    ],
    [
      'no output of a failed action that completes a task',
      { status: 'TIMEOUT', error_message: 'slow', outcomeOnly: true },
      '{"status":"TIMEOUT","error":"slow"}',
    ],
    ['only the start of a background action', { background: true, status: 'PENDING' }, '{"status":"STARTED"}'],
  ])('feeds back %s', (_name, change, text) => {
    expect(toolResultText({ ...ran, ...change })).toBe(text);
  });
});
