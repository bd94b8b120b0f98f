import { framedData, JUDGED_TEXTS } from '@signalbox/conditions';
import { answerOf, tagJudgementMessages, textOfRequest } from './tag-judgement.js';

const request = {
  params: {
    messages: [
      { role: 'system', content: 'be brief' },
      { role: 'user', content: [{ type: 'text', text: 'where is it?' }, { type: 'image_url' }] },
    ],
  },
  response: { choices: [{ message: { role: 'assistant', content: 'on its way' } }] },
  corrected_response: null,
};
const corrected = { choices: [{ message: { role: 'assistant' as const, content: 'lost' } }] };

describe('a judged request', () => {
  it('reads as its messages and its answer, or the correction', () => {
    expect(textOfRequest(request)).toBe('be brief\nwhere is it?\non its way');
    const correction = { ...corrected, note: null, key_id: null, date_updated: 1 };
    expect(textOfRequest({ ...request, corrected_response: correction })).toBe('be brief\nwhere is it?\nlost');
    expect(textOfRequest({ params: {}, response: null, corrected_response: null })).toBe('');
  });

  it.each(JUDGED_TEXTS.map((text) => [text]))('stays inside the frame of its judge: %j', (text) => {
    const messages = (said: string) => {
      const message = { role: 'assistant' as const, content: said };
      const asked = { params: { messages: [{ role: 'user', content: said }] }, response: { choices: [{ message }] } };
      return tagJudgementMessages('the parcel is "late"', { ...request, ...asked });
    };
    expect(framedData(messages(text), messages('anything else'))).toEqual({
      conversation: [
        { role: 'user', text },
        { role: 'assistant', text },
      ],
    });
    expect(messages(text)[0]?.content).toContain('the parcel is "late"');
  });

  it('is judged by its beginning when it is long, marked as such', () => {
    const messages = ['a'.repeat(15_000), 'b'.repeat(15_000), 'c'].map((content) => ({ role: 'user', content }));
    const judged = tagJudgementMessages('', { ...request, params: { messages } });
    expect(framedData(judged, judged)).toEqual({
      conversation: [
        { role: 'user', text: 'a'.repeat(15_000) },
        { role: 'user', text: `${'b'.repeat(5000)} [cut: 10000 more characters]` },
      ],
    });
  });
});

it.each([
  ['{"answer": "yes"}', true],
  ['Sure: {"answer":"no"}.', false],
  ['{"answer": "maybe"}', null],
  ['yes', null],
  ['{"answer": ', null],
])('the answer %s is the judgement %s', (content, judgement) => {
  expect(answerOf({ message: { role: 'assistant', content } })).toBe(judgement);
});

// A pattern that is tried from every brace to the end would take hours.
it('an answer of millions of braces is no judgement', () => {
  expect(answerOf({ message: { role: 'assistant', content: '{'.repeat(4_000_000) } })).toBeNull();
});
