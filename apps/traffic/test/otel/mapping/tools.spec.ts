import { mapped, span, chat } from './traces.js';

describe('a call of a tool', () => {
  it('and its result have a step, which no other call has', () => {
    const tool = { attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'look_up' } };
    const root = span({});
    const during = { parent_id: root.span_id, end_ms: root.start_ms + 100 };
    const { timeline } = mapped([root, ...[1, 2].map(() => span({ ...during, ...tool })), chat(during)]).tasks[0]!;
    const steps = timeline.map(({ type, data }) => [type, data.step]);
    expect(steps).toEqual([
      ['action_invoked', 1],
      ['action_invoked', 2],
      ['model_called', 3],
      ['action_result', 1],
      ['action_result', 2],
      ['model_answered', 3],
    ]);
  });
});

it('JSON that is nested deeper than it can be written again stays a text', () => {
  const result = '['.repeat(20_000) + ']'.repeat(20_000);
  const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.call.result': result };
  const { timeline } = mapped([span({ attributes })]).tasks[0]!;
  expect(timeline[1]!.data.output === result).toBe(true);
});

describe('a tool of OpenInference', () => {
  it('has the arguments of its call, and not their schema', () => {
    const attributes = {
      'openinference.span.kind': 'TOOL',
      'tool.name': 'look_up',
      'tool.parameters': '{"order":{"type":"string"}}',
      'input.value': '{"order":"7"}',
    };
    const { timeline } = mapped([span({ attributes })]).tasks[0]!;
    expect(timeline[0]!.data.arguments).toEqual({ order: '7' });
  });
});

describe('the results of parallel calls of tools in one message', () => {
  it.each<[string, string, (id: string) => object]>([
    [
      'ai.prompt.messages',
      'content',
      (id) => ({ type: 'tool-result', toolCallId: id, output: { type: 'text', value: id } }),
    ],
    ['gen_ai.input.messages', 'parts', (id) => ({ type: 'tool_call_response', id, response: id })],
  ])('of %s are one message each', (attribute, field, result) => {
    const messages = [{ role: 'tool', [field]: [result('a'), result('b')] }];
    const attributes = { 'gen_ai.operation.name': 'chat', [attribute]: JSON.stringify(messages) };
    const { requests } = mapped([chat({ attributes })]);
    expect(JSON.parse(requests[0]!.params)).toMatchObject({
      messages: [
        { role: 'tool', tool_call_id: 'a', content: 'a' },
        { role: 'tool', tool_call_id: 'b', content: 'b' },
      ],
    });
  });
});
