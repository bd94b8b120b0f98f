import type { RecordedRequest } from '@signalbox/contracts';
import { sessionOf } from './transformed-session.js';

const facts = { session_id: 's', application: 'Shop', metadata: { plan: 'free' }, intents: new Map([[3, 'ask']]) };
const request = (id: string, messages: object[], answer: object | null): RecordedRequest =>
  ({
    request_id: id,
    intent_id: id === 'one' ? 3 : null,
    model: 'm',
    params: { messages },
    response: answer && { choices: [{ message: answer }] },
    metadata: {},
    date_created: 7,
  }) as unknown as RecordedRequest;

const hi = { role: 'user', content: 'hi' };
const hello = { role: 'assistant', content: 'hello' };
const bye = { role: 'user', content: 'bye' };

describe('the session that a transform gets', () => {
  it('has the conversation of its last request with the answer, and every request', () => {
    const session = sessionOf(facts, [request('one', [hi], hello), request('two', [hi, hello, bye], null)]);
    expect(session).toMatchObject({ session_id: 's', application: 'Shop', metadata: { plan: 'free' } });
    expect(session.messages).toEqual([hi, hello, bye]);
    expect(session.requests).toMatchObject([
      { request_id: 'one', intent: 'ask', messages: [hi], response: { choices: [{ message: hello }] } },
      { request_id: 'two', intent: null, response: null },
    ]);
    expect(sessionOf(facts, [request('one', [hi], hello)]).messages).toEqual([hi, hello]);
  });

  it('without requests has no messages', () =>
    expect(sessionOf(facts, [])).toEqual({
      session_id: 's',
      application: 'Shop',
      metadata: { plan: 'free' },
      messages: [],
      requests: [],
    }));
});
