import { framedData, JUDGED_TEXTS } from '@signalbox/conditions';
import { judgedOf, judgeMessages, verdictIn } from './judge-prompt.js';

const payload = (text: string) => ({
  messages: [{ role: 'user', content: text }],
  response: { choices: [{ message: { role: 'assistant', content: text } }] },
});
const judged = (text: string) => {
  const found = judgedOf(payload(text), {});
  if ('problem' in found) throw new Error(found.problem);
  return found;
};

describe('judged text', () => {
  it.each(JUDGED_TEXTS.map((text) => [text]))('stays inside its frame: %j', (text) => {
    const messages = (said: string) => judgeMessages('Be polite.', judged(said));
    expect(framedData(messages(text), messages('anything else'))).toEqual({
      messages: payload(text).messages,
      response: { role: 'assistant', content: text },
    });
  });
});

describe('the judged part of a payload', () => {
  it.each([
    [{ messages: 1, response: 2 }, {}, { messages: 1, response: 2 }],
    [{ input_messages: 1, output: 2 }, {}, { messages: 1, response: 2 }],
    [{ input: 1, output: null }, {}, { messages: 1, response: null }],
    [{ response: 2 }, {}, { messages: null, response: 2 }],
    [{ a: { b: [1, 2] }, response: 3 }, { messages_path: 'a.b[1]' }, { messages: 2, response: 3 }],
    [{ messages: 1 }, {}, { problem: 'the payload has no response' }],
    [{ response: 1 }, { response_path: 'x' }, { problem: 'the payload has no value at x' }],
    [{ response: 1 }, { messages_path: 'x.y' }, { problem: 'the payload has no value at x.y' }],
  ])('of %j with %j is %j', (given, input, expected) => {
    expect(judgedOf(given, input)).toEqual(expected);
  });
});

describe('the reply of a judge', () => {
  it.each([
    ['{"verdict":"FAULT","reason":"rude"}', { verdict: 'FAULT', reason: 'rude' }],
    ['{"verdict":"fault"}', null],
    ['PASS', null],
    ['"PASS"', null],
    ['null', null],
    ['["PASS"]', null],
    [null, null],
    ['', null],
  ])('%j is %j', (content, expected) => {
    expect(verdictIn(content)).toEqual(expected);
  });
});
