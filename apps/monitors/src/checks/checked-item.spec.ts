import { type CheckedItem, expectedOutcomeOf, payloadOfItem } from './checked-item.js';

const item = (change: Partial<CheckedItem> = {}): CheckedItem => ({
  source_type: 'MANUAL',
  source_id: null,
  input: { messages: [{ role: 'user', content: 'hello' }] },
  effective_expected_output: { text: 'good day' },
  meta: { team: 'a' },
  ...change,
});

describe('the expected outcome of an item', () => {
  it.each([
    [{}, 'PASS'],
    [{ expected_outcome: 'FAULT' }, 'FAULT'],
    [{ expected_outcome: 'WARNING' }, 'WARNING'],
    [{ expected_outcome: 'fault' }, null],
    [{ expected_outcome: 'ERROR' }, null],
    [{ expected_outcome: null }, null],
  ])('of %j is %s', (meta, expected) => {
    expect(expectedOutcomeOf(meta)).toBe(expected);
  });
});

describe('the payload of an item', () => {
  const response = {
    choices: [{ index: 0, message: { role: 'assistant', content: 'good day' }, finish_reason: 'stop' }],
  };

  it('has the form of the targets of the monitor', () => {
    const messages = [{ role: 'user', content: 'hello' }];
    expect(payloadOfItem(item({ source_id: 'r' }), ['intent', 'intent'])).toEqual({
      request_id: 'r',
      messages,
      response,
      model: null,
      metadata: { team: 'a' },
    });
    expect(payloadOfItem(item({ source_type: 'REQUEST' }), ['agent'])).toEqual({
      task_id: null,
      input_messages: messages,
      output: { role: 'assistant', content: 'good day' },
      state: {},
    });
    expect(payloadOfItem(item(), ['workflow'])).toEqual({
      run_id: null,
      input: { messages },
      output: 'good day',
      metadata: { team: 'a' },
    });
  });

  it.each([
    ['REQUEST', {}, 'messages'],
    ['AGENT_TASK', {}, 'input_messages'],
    ['WORKFLOW_RUN', {}, 'output'],
    ['MANUAL', {}, 'messages'],
    ['MANUAL', { input: { input: 5 } }, 'output'],
  ] as const)('of a monitor of several kinds of targets follows the source %s', (source_type, change, field) => {
    for (const targets of [[], ['intent', 'agent', 'workflow']] as const)
      expect(payloadOfItem(item({ source_type, ...change }), targets)).toHaveProperty(field);
  });

  it('converts the expected output to what the form has', () => {
    const json = { answer: 42 };
    const message = { role: 'assistant' as const, content: 'hi' };
    const of = (effective_expected_output: CheckedItem['effective_expected_output'], target: 'agent' | 'workflow') =>
      (payloadOfItem(item({ effective_expected_output }), [target]) as { output: unknown }).output;
    expect(of({ json }, 'workflow')).toEqual(json);
    expect(of({ json }, 'agent')).toEqual({ role: 'assistant', content: '{"answer":42}' });
    expect(of({ message }, 'workflow')).toBe('hi');
    expect(of({ message }, 'agent')).toEqual(message);
  });

  it('does not exist without an expected output', () => {
    expect(payloadOfItem(item({ effective_expected_output: null }), ['intent'])).toBeNull();
  });
});
