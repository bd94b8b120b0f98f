import { mapped, span, chat } from './traces.js';

describe('a hostile trace', () => {
  it('whose parents go in a circle is a trace all the same', () => {
    const a = chat({ span_id: 'a', parent_id: 'b' });
    const b = chat({ span_id: 'b', parent_id: 'a' });
    const self = span({ span_id: 'c', parent_id: 'c' });
    const { tasks } = mapped([a, b, self]);
    expect(tasks).toHaveLength(1);
  });

  it('with values of the wrong types has none of them', () => {
    const odd = chat({
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': { a: 1 },
        'gen_ai.usage.input_tokens': -5,
        'gen_ai.usage.output_tokens': 'many',
        'gen_ai.usage.cost': '1e999',
        'gen_ai.input.messages': '[[1], 5, {"role": 7, "parts": 3}]',
        'gen_ai.prompt.999999999.role': 'user',
        'llm.input_messages.0.message.__proto__.polluted': true,
      },
    });
    const { requests } = mapped([odd]);
    expect(requests).toMatchObject([{ model: 'unknown', prompt_tokens: 0, completion_tokens: 0 }]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('with tools of many short texts and numbers fits into one message', () => {
    const root = span({});
    const list = Array.from({ length: 9500 }, (_, at) => (at % 2 === 0 ? `v${at}` : at));
    const tools = Array.from({ length: 150 }, () =>
      span({
        parent_id: root.span_id,
        error: 'x'.repeat(4000),
        attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.call.arguments': { list } as never },
      }),
    );
    const timelineOf = (count: number) => mapped([root, ...tools.slice(0, count)]).tasks[0]!.timeline;
    const whole = timelineOf(10);
    expect(whole[0]!.data.arguments).toEqual({ list });
    const cut = timelineOf(150);
    expect(cut).toHaveLength(300);
    expect(cut[0]!.data.arguments).toMatch(/^\{"list":\["v0",1,.* \[cut: \d+ bytes\]$/);
    expect(JSON.stringify(cut).length).toBeLessThan(8 * 1_048_576);
  });

  it('with messages of tens of thousands of calls of tools has their texts', () => {
    const calls = Array.from({ length: 40_000 }, () => ({ type: 'tool_call', name: 'a' }));
    const parts = [{ type: 'text', content: 'Hello' }, ...calls];
    const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': [{ role: 'user', parts }] as never };
    expect(mapped([chat({ attributes })]).tasks[0]!.input_messages).toEqual([{ role: 'user', content: 'Hello' }]);
  });

  it('with 2,000 large tools fits into one message', () => {
    const root = span({});
    const tools = Array.from({ length: 2000 }, () =>
      span({
        parent_id: root.span_id,
        attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.call.result': 'x'.repeat(20_000) },
      }),
    );
    const { tasks } = mapped([root, ...tools]);
    expect(JSON.stringify(tasks).length).toBeLessThan(9_500_000);
    expect(tasks[0]!.timeline).toHaveLength(4000);
  });
});
