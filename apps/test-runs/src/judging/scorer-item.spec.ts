import { NOTHING_OBSERVED } from './output.js';
import type { Output } from './output.js';
import { scorerItem } from './scorer-item.js';

const user = { role: 'user' as const, content: 'hello' };
const of = (input: unknown, actual: Output = { text: 'hi' }, expected: Output | null = null) =>
  scorerItem({ input, actual, expected, observed: NOTHING_OBSERVED }, null);

describe('what a script scores', () => {
  it.each<[string, unknown, unknown, unknown[]]>([
    [
      'of a model',
      { messages: [{ role: 'system', content: 's' }, user], temperature: 0 },
      'hello',
      [{ role: 'system', content: 's' }, user],
    ],
    ['of a workflow', { input: { a: 1 } }, { a: 1 }, []],
    ['of a workflow with messages', { input: { a: 1 }, messages: [user] }, { a: 1 }, [user]],
    ['of an agent', { message: 'hello' }, 'hello', [user]],
    ['of an agent with a prompt', { messages: [user] }, 'hello', [user]],
    ['of a program', { body: { q: 1 } }, { q: 1 }, []],
    ['a list of messages', [user], 'hello', [user]],
    ['any other value', 7, 7, []],
    ['nothing', null, null, []],
  ])('has the input %s', (_name, given, input, messages) => {
    expect(of(given)).toMatchObject({ input, messages });
  });

  it('has outputs as text or JSON, and a message as a whole', () => {
    const message = { role: 'assistant' as const, content: 'hi', tool_calls: [] };
    expect(of(null, { message }, { json: { a: 1 } })).toMatchObject({
      output: 'hi',
      output_message: message,
      expected: { a: 1 },
    });
    expect(of(null, { json: [1] })).toMatchObject({ output: [1], output_message: null, expected: null });
    expect(of(null)).not.toHaveProperty('steps');
  });
});
