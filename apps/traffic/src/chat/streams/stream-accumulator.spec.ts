import { StreamAccumulator, type SpanPart } from './stream-accumulator.js';

const piece = (delta: object, finish_reason: string | null = null, index = 0): SpanPart => ({
  id: 'c',
  created: 5,
  choices: [{ index, delta: delta as Record<string, unknown>, finish_reason }],
});

describe('an accumulated answer', () => {
  it('is null before the first chunk', () => expect(new StreamAccumulator().completion('m')).toBeNull());

  it('accumulates text, tool calls and choices', () => {
    const answer = new StreamAccumulator();
    answer.add(piece({ role: 'assistant', content: '' }));
    expect(answer.hasToken).toBe(false);
    answer.add(piece({ content: 'Hel' }));
    expect(answer.hasToken).toBe(true);
    answer.add(piece({ content: 'lo', refusal: null }, 'stop'));
    answer.add(piece({ tool_calls: [{ index: 0, id: 't', function: { name: 'f', arguments: '' } }] }, null, 1));
    answer.add(piece({ tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] }, null, 1));
    answer.add(piece({ tool_calls: [{ index: 0, function: { arguments: ':1}' } }] }, 'tool_calls', 1));
    answer.add({ id: 'c', created: 5, choices: [], usage: { prompt_tokens: 1 } });
    expect(answer.completion('m')).toEqual({
      id: 'c',
      object: 'chat.completion',
      created: 5,
      model: 'm',
      choices: [
        { index: 0, message: { role: 'assistant', content: 'Hello', refusal: null }, finish_reason: 'stop' },
        {
          index: 1,
          message: {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 't', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
          },
          finish_reason: 'tool_calls',
        },
      ],
      usage: { prompt_tokens: 1 },
    });
  });

  it.each([
    ['without an index', {}],
    ['with the same index', { index: 0 }],
  ])('has each of several calls that arrive %s', (_how, at) => {
    const answer = new StreamAccumulator();
    const call = (id: string, name: string) => ({ ...at, id, function: { name, arguments: '{}' } });
    answer.add(piece({ tool_calls: [call('a', 'f'), call('b', 'g')] }));
    answer.add(piece({ tool_calls: [call('c', 'f')] }, 'tool_calls'));
    expect(answer.completion('m')?.choices[0]?.message).toMatchObject({
      tool_calls: [
        { id: 'a', function: { name: 'f', arguments: '{}' } },
        { id: 'b', function: { name: 'g', arguments: '{}' } },
        { id: 'c', function: { name: 'f', arguments: '{}' } },
      ],
    });
  });

  it('has one call whose pieces differ in their ids', () => {
    const answer = new StreamAccumulator();
    answer.add(piece({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '' } }] }));
    answer.add(piece({ tool_calls: [{ index: 0, id: 'b', function: { arguments: '{"a":' } }] }));
    answer.add(piece({ tool_calls: [{ index: 0, id: 'c', function: { arguments: '1}' } }] }));
    expect(answer.completion('m')?.choices[0]?.message).toMatchObject({
      tool_calls: [{ function: { name: 'f', arguments: '{"a":1}' } }],
    });
  });

  it('has the id and the time of the answer when the first piece has none', () => {
    const answer = new StreamAccumulator();
    answer.add({ id: '', created: 0, choices: [] });
    answer.add(piece({ content: 'Hello' }, 'stop'));
    answer.add({ id: 'd', created: 6, choices: [] });
    expect(answer.completion('m')).toMatchObject({ id: 'c', created: 5 });
  });
});
