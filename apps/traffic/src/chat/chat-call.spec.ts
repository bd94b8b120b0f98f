import { Message, parse } from '@signalbox/contracts';
import { parametersOfCall } from './completion-call.js';
import { completionCallOf, messageOf, resultOf, usageOf } from './chat-call.js';

const answer = (message: object, usage: object | null = null) => ({
  choices: [{ message, finish_reason: null }],
  usage,
});

describe('a chat call', () => {
  it('forwards the given parameters without fields of the platform', () => {
    const call = {
      messages: [{ role: 'user' as const, content: 'hi' }],
      temperature: 0,
      response_format: null,
      session_id: 's',
      metadata: { a: 1 },
      request_type: 'PROD' as const,
    };
    expect(parametersOfCall(completionCallOf({ ...call, parameters: { top_p: 0.5 } }))).toEqual({
      messages: call.messages,
      temperature: 0,
      top_p: 0.5,
    });
  });

  it('has the usage of the provider, without invalid values', () => {
    const counted = answer({}, { prompt_tokens: 3, completion_tokens: 4 });
    expect(usageOf(counted, 0.5)).toEqual({ prompt_tokens: 3, completion_tokens: 4, total_tokens: 7, cost: 0.5 });
    const odd = answer({}, { prompt_tokens: -1, completion_tokens: 'x', total_tokens: 1e300 });
    expect(usageOf(odd, null)).toMatchObject({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 });
    const impossible = answer({}, { prompt_tokens: 9e15, completion_tokens: 4, total_tokens: 9e15 });
    expect(usageOf(impossible, null)).toMatchObject({ prompt_tokens: 0, completion_tokens: 4, total_tokens: 4 });
    expect(usageOf(null, null).total_tokens).toBe(0);
  });

  it('returns the first choice as a message of the platform', () => {
    const calls = [{ id: 'c', function: { name: 'f', arguments: { a: 1 } } }, { id: 7 }];
    expect(messageOf(answer({ content: undefined, refusal: null, tool_calls: calls }), 'r')).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
    });
    const text = (said: string) => ({ type: 'text', text: said });
    const parts = [{ type: 'thinking', thinking: [] }, text('Hel'), null, text('lo')];
    expect(messageOf(answer({ content: parts }), 'r').content).toBe('Hello');
    const result = resultOf('r', 'm', answer({ content: 'x' }), usageOf(null, null));
    expect(result).toMatchObject({ finish_reason: 'stop', message: { role: 'assistant', content: 'x' } });
  });

  it.each([
    ['no ids', undefined],
    ['empty ids', ''],
    ['ids that are too long', 'x'.repeat(201)],
  ])('names the calls of tools of an answer with %s', (_what, id) => {
    const call = { id, function: { name: 'f', arguments: '{}' } };
    const message = messageOf(answer({ content: null, tool_calls: [call, call] }), 'r');
    expect(message.tool_calls).toMatchObject([{ id: 'call_r_0' }, { id: 'call_r_1' }]);
    expect(() => parse(Message, message)).not.toThrow();
  });
});
