import { answersOf, askedOf, correctionsOf, newlyAsked, parametersOf } from './request-texts.js';

const user = (content: string) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });
const REQUEST = {
  params: { messages: [user('hello')], temperature: 0 },
  response: { choices: [{ message: assistant('hi') }, { message: null }] },
  corrected_response: {
    choices: [{ message: { role: 'assistant' as const, content: 'Hi!' } }],
    note: null,
    key_id: 1,
    date_updated: 1,
  },
};

describe('the texts of a request', () => {
  it('are what was asked, answered and corrected', () => {
    expect(askedOf(REQUEST)).toEqual([user('hello')]);
    expect(answersOf(REQUEST)).toEqual([assistant('hi')]);
    expect(correctionsOf(REQUEST)).toEqual([assistant('Hi!')]);
    expect(parametersOf(REQUEST)).toEqual({ temperature: 0 });
  });

  it('are none when bodies were deleted or are not what they should be', () => {
    const none = { params: null, response: 'text', corrected_response: null };
    expect([askedOf(none), answersOf(none), correctionsOf(none), parametersOf(none)]).toEqual([[], [], [], null]);
  });

  it('of a later turn are what the turn before had not', () => {
    const before = [user('a')];
    expect(newlyAsked([user('a'), assistant('b'), user('c')], before)).toEqual([assistant('b'), user('c')]);
    expect(newlyAsked([user('a')], before)).toEqual([user('a')]);
    expect(newlyAsked([user('z')], before)).toEqual([user('z')]);
  });
});
