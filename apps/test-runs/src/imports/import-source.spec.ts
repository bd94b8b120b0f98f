import type { RecordedRequest, Task, WorkflowRun } from '@signalbox/contracts';
import { contentOfRequest, contentOfRun, contentOfTask } from './import-source.js';

const request = (change: object = {}) =>
  ({
    request_id: 'r1',
    intent_group_id: 4,
    params: { messages: [{ role: 'user', content: 'hello', extra: 1 }] },
    response: { choices: [{ message: { role: 'assistant', content: 'hi', refusal: null, annotations: [] } }] },
    corrected_response: null,
    ...change,
  }) as unknown as RecordedRequest;

const task = (change: object = {}) =>
  ({
    id: 't1',
    parent_task_id: null,
    status: 'COMPLETED',
    input_messages: [{ role: 'user', content: 'hello' }],
    output: { role: 'assistant', content: 'hi' },
    structured_output: null,
    ...change,
  }) as unknown as Task;

const refused = (message: string) => expect.objectContaining({ status: 409, message });
const FIRST = 'agent_first_user_message';

describe('the content of a request', () => {
  it('has the declared fields of its messages only', () => {
    expect(contentOfRequest(request(), true)).toEqual({
      input: { messages: [{ role: 'user', content: 'hello' }] },
      expected_output: { message: { role: 'assistant', content: 'hi' } },
      intent_group_id: 4,
    });
  });

  it('keeps tool calls, in questions and answers', () => {
    const tool_calls = [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{}' }, index: 0 }];
    const message = { role: 'assistant', content: null, tool_calls };
    const { input, expected_output } = contentOfRequest(
      request({
        params: { messages: [message, { role: 'tool', tool_call_id: 'c1', content: '7' }] },
        response: { choices: [{ message }] },
      }),
      true,
    );
    const { index: _, ...call } = tool_calls[0]!;
    expect(input.messages).toEqual([
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: '7' },
    ]);
    expect(expected_output.message).toEqual({ role: 'assistant', content: null, tool_calls: [call] });
  });

  it.each([
    ['a failed call', { response: null }],
    ['a deleted request', { params: undefined }],
    ['an answer without choices', { response: { choices: [] } }],
  ])('does not exist for %s', (_name, change) => {
    expect(() => contentOfRequest(request(change), true)).toThrow(refused('request r1 has no response'));
  });

  it('is refused when an item cannot hold it', () => {
    const params = { messages: [{ role: 'robot', content: 'hello' }] };
    expect(() => contentOfRequest(request({ params }), true)).toThrow(
      expect.objectContaining({ status: 409, message: expect.stringContaining('cannot become a test item') }),
    );
  });
});

describe('the content of a workflow run', () => {
  const run = (change: object): WorkflowRun =>
    ({ id: 'w1', status: 'COMPLETED', input: null, messages: null, output: null, ...change }) as unknown as WorkflowRun;

  it.each([
    ['its input', { input: { order: 7 }, output: 'sent' }, { input: { order: 7 } }, { json: 'sent' }],
    [
      'its messages',
      { messages: [{ role: 'user', content: 'hello' }], output: { n: 1 } },
      { messages: [{ role: 'user', content: 'hello' }] },
      { json: { n: 1 } },
    ],
    ['neither', {}, { input: null }, { json: null }],
  ])('has %s', (_name, change, input, expected_output) => {
    expect(contentOfRun(run(change))).toEqual({ input, expected_output });
  });

  it.each(['QUEUED', 'RUNNING', 'FAILED', 'TIMED_OUT', 'CANCELLED'])('is refused while it is %s', (status) => {
    expect(() => contentOfRun(run({ status }))).toThrow(refused(`run w1 is ${status}, not COMPLETED`));
  });
});

describe('the content of a task', () => {
  it.each([
    [
      'the texts of the parts of an answer',
      [{ type: 'text', text: 'a' }, { type: 'image_url' }, { type: 'text', text: 'b' }],
      'ab',
    ],
    ['the empty text for an answer of tool calls', null, ''],
  ])('has %s', (_name, content, text) => {
    const output = { role: 'assistant', content };
    expect(contentOfTask(task({ output }), FIRST, null).expected_output).toEqual({ text });
  });

  it('joins the texts of an answer in parts', () => {
    const output = {
      role: 'assistant',
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    };
    expect(contentOfTask(task({ output }), FIRST, null).expected_output).toEqual({ text: 'ab' });
  });

  it.each([
    ['is a sub-task', { parent_task_id: 't0' }, 'task t1 is a sub-task of task t0'],
    ['has failed', { status: 'FAILED' }, 'task t1 is FAILED, not COMPLETED'],
    ['still runs', { status: 'RUNNING' }, 'task t1 is RUNNING, not COMPLETED'],
    ['has no user message', { input_messages: [{ role: 'system', content: 'x' }] }, 'task t1 has no user message'],
  ])('is refused when it %s', (_name, change, message) => {
    expect(() => contentOfTask(task(change), FIRST, null)).toThrow(refused(message));
  });

  it('has no system message when the agent has no prompt', () => {
    const { input } = contentOfTask(task(), 'agent_first_user_message_with_system_prompt', null);
    expect(input.messages).toEqual([{ role: 'user', content: 'hello' }]);
  });
});
