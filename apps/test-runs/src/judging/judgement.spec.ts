import { framedData, JUDGED_TEXTS } from '@signalbox/conditions';
import { cutNotice, judgementFormat, judgementMessages, judgementOf } from './judgement.js';

const answer = (content: string) => ({ role: 'assistant' as const, content });

describe('a judgement', () => {
  it.each([
    ['BOOLEAN', '{"verdict":"PASS","reason":"good"}', { score: 1, reason: 'good' }],
    ['BOOLEAN', 'Sure: {"verdict":"FAIL","reason":"bad"}', { score: 0, reason: 'bad' }],
    ['NUMERIC', '{"verdict":"PERFECT","reason":"x"}', { score: 5, reason: 'x' }],
    ['NUMERIC', '{"verdict":"POOR"}', { score: 1, reason: '' }],
    ['NUMERIC', '{"verdict":"PASS","reason":"x"}', null],
    ['BOOLEAN', '{"verdict":"toString"}', null],
    ['BOOLEAN', 'PASS', null],
    ['BOOLEAN', '', null],
    ['BOOLEAN', 'null', null],
  ] as const)('of type %s from %j is %j', (type, text, expected) => {
    expect(judgementOf(type, answer(text))).toEqual(expected);
  });

  it('offers the best word first', () => {
    const schema = judgementFormat('NUMERIC').json_schema?.schema as { properties: { verdict: { enum: string[] } } };
    expect(schema.properties.verdict.enum).toEqual(['PERFECT', 'GREAT', 'GOOD', 'FAIR', 'POOR']);
  });

  it.each(JUDGED_TEXTS.map((text) => [text]))('keeps what is judged inside its frame: %j', (text) => {
    const messages = (said: string) =>
      judgementMessages('BOOLEAN', 'Is it polite?', {
        input: { messages: [{ role: 'user', content: said }] },
        expected: { text: said },
        actual: { text: said },
      });
    expect(framedData(messages(text), messages('anything else'))).toEqual({
      input: JSON.stringify({ messages: [{ role: 'user', content: text }] }),
      expected_output: text,
      actual_output: text,
    });
    expect(messages(text)[0]?.content).toContain('Is it polite?');
  });

  it('is asked about long outputs by their beginnings, marked as such', () => {
    const long = `${'x'.repeat(19_999)}\u{1f600}y`;
    const messages = judgementMessages('BOOLEAN', '', { input: long, expected: null, actual: { text: long } });
    const cut = `${'x'.repeat(19_999)}\ufffd [cut: 2 more characters]`;
    expect(framedData(messages, messages)).toEqual({ input: cut, expected_output: null, actual_output: cut });
    const judged = { input: 'short', expected: { text: long }, actual: { text: long } };
    expect(cutNotice(judged)).toBe('Judged by the first 20000 characters of the expected output and the output.');
    expect(cutNotice({ input: 'x'.repeat(20_000), expected: null, actual: { text: '' } })).toBeNull();
  });
});
