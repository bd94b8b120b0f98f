import { includeAll } from '@signalbox/contracts';
import { judgedParts, textOfCall } from './judged-request.js';

const call = { id: 'c', type: 'function', function: { name: 'find', arguments: '{}' } };
const system = { role: 'system', content: 'You sell shoes.' };
const first = { role: 'user', content: 'hello' };
const called = { role: 'assistant', content: null, tool_calls: [call] };
const result = { role: 'tool', content: 'red', tool_call_id: 'c' };
const last = { role: 'user', content: [{ type: 'text', text: 'which?' }] };
const answer = { role: 'assistant', content: 'The red ones.', tool_calls: [call] };
const judged = {
  params: { messages: [system, first, called, result, last], tools: [1], response_format: { type: 'json_object' } },
  response: { choices: [{ message: answer }] },
};

describe('the judged parts of a call', () => {
  it('are all that the directive includes', () => {
    expect(judgedParts(judged, includeAll())).toEqual({
      system_prompt: [system],
      context: [first, called, result],
      input: [last],
      tools: [1],
      response_format: { type: 'json_object' },
      response: [answer],
    });
  });

  it.each([
    ['system_prompt', ['context', 'input', 'tools', 'response_format', 'response']],
    ['context', ['system_prompt', 'input', 'tools', 'response_format', 'response']],
    ['input', ['system_prompt', 'context', 'tools', 'response_format', 'response']],
    ['tool_calls', ['system_prompt', 'context', 'input', 'response_format', 'response']],
    ['json_schema', ['system_prompt', 'context', 'input', 'tools', 'response']],
  ])('leave out %s', (option, parts) => {
    const included = judgedParts(judged, { ...includeAll(), [option]: false });
    expect(Object.keys(included)).toEqual(parts);
    if (option === 'tool_calls') expect(JSON.stringify(included)).not.toContain('find');
  });

  it('are the answer alone when there are no messages, whatever form it has', () => {
    expect(judgedParts({ params: {}, response: 'hi' }, includeAll())).toEqual({
      response: [{ role: 'assistant', content: 'hi' }],
    });
    expect(judgedParts({ params: {}, response: answer }, includeAll())).toEqual({ response: [answer] });
    expect(judgedParts({ params: {}, response: { choices: [] } }, includeAll())).toEqual({ response: [] });
  });

  it('have a text of messages and answers', () => {
    expect(textOfCall(judged)).toBe('You sell shoes.\nhello\nred\nwhich?\nThe red ones.');
    expect(textOfCall({ params: {}, response: null })).toBe('');
  });
});
