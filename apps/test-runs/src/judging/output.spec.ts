import { jsonOf, messageOf, type Output, shapeOf, textOf } from './output.js';

const message: Output = {
  message: {
    role: 'assistant',
    content: [
      { type: 'text', text: '{"a"' },
      { type: 'text', text: ':1}' },
    ],
  },
};

describe('an output', () => {
  it.each<[Output, string, string, unknown]>([
    [{ text: 'hi' }, 'text', 'hi', undefined],
    [{ text: '[1]' }, 'text', '[1]', [1]],
    [{ json: 'hi' }, 'json', 'hi', 'hi'],
    [{ json: { a: 1 } }, 'json', '{"a":1}', { a: 1 }],
    [{ json: null }, 'json', 'null', null],
    [message, 'message', '{"a":1}', { a: 1 }],
    [{ message: { role: 'assistant', content: null } }, 'message', '', undefined],
  ])('%j is a %s whose text is %j and whose JSON is %j', (output, shape, text, json) => {
    expect([shapeOf(output), textOf(output), jsonOf(output)]).toEqual([shape, text, json]);
  });

  it('becomes a message of the assistant', () => {
    expect(messageOf({ json: { a: 1 } })).toEqual({ role: 'assistant', content: '{"a":1}' });
  });
});
