import { excerptOf, hasMark, isLarge, isMarked } from './offloaded-text.js';

const json = (value: unknown): string => JSON.stringify(value);

describe('a part', () => {
  it('is large by its bytes', () => {
    expect(isLarge('a'.repeat(256_000))).toBe(false);
    expect(isLarge('a'.repeat(256_001))).toBe(true);
    expect(isLarge('ö'.repeat(128_001))).toBe(true);
    expect(isLarge('漢'.repeat(85_333))).toBe(false);
    expect(isLarge('漢'.repeat(85_334))).toBe(true);
  });
});

describe('an excerpt', () => {
  it('keeps the structure and the beginning of each text', () => {
    const messages = [
      { role: 'system', content: 'be brief' },
      { role: 'user', content: `find me ${'x'.repeat(400_000)}` },
    ];
    const excerpt = JSON.parse(excerptOf(json({ messages, temperature: 0.5 }))) as typeof messages;
    expect(excerpt).toEqual({
      messages: [messages[0], { role: 'user', content: `find me ${'x'.repeat(1992)}…` }],
      temperature: 0.5,
      stored_aside: true,
    });
  });

  it.each([
    ['many texts', Array.from({ length: 500 }, () => 'x'.repeat(1000))],
    ['very many', Array.from({ length: 5000 }, () => 'x'.repeat(100))],
    ['no long text at all', Array.from({ length: 200_000 }, (_, at) => at)],
  ])('is small for any input: %s', (_, messages) => {
    const excerpt = excerptOf(json({ messages }));
    expect([isLarge(excerpt), isMarked(JSON.parse(excerpt))]).toEqual([false, true]);
  });

  it('never ends within a character', () => {
    const excerpt = excerptOf(json({ text: `${'x'.repeat(1999)}${'😀'.repeat(100_000)}` }));
    expect(excerpt.isWellFormed()).toBe(true);
    expect(excerpt).not.toMatch(/\\ud/);
  });

  it('is recognised in the JSON of Postgres, and not within a text', () => {
    expect(hasMark('{"params": {"messages": [], "stored_aside": true}}')).toBe(true);
    expect(hasMark(json({ text: '"stored_aside": true' }))).toBe(false);
    expect([isMarked(null), isMarked('stored_aside'), isMarked({})]).toEqual([false, false, false]);
  });
});
