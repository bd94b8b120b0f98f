import { AppendOnlyText, type Delta } from './append-only-text.js';

const through = (...deltas: Delta[]): (string | null)[] => {
  const text = new AppendOnlyText();
  return deltas.map((delta) => text.add(delta));
};

describe('an append-only text', () => {
  it('consists of the messages in order', () => {
    expect(
      through({ content: 'let ', step: 1 }, { content: 'me see', step: 1 }, { content: 'it is 5', step: 3 }),
    ).toEqual(['let ', 'me see', '\n\nit is 5']);
    expect(through({ content: '', step: 1 }, { content: 'a', step: 3 })).toEqual(['', 'a']);
  });

  it('continues where a further attempt exceeds the first', () => {
    expect(
      through(
        { content: 'one two', step: 1 },
        { content: 'one', step: 1, restart: true },
        { content: ' two', step: 1 },
        { content: ' three', step: 1 },
      ),
    ).toEqual(['one two', '', '', ' three']);
  });

  it('ends when a further attempt contradicts it', () => {
    expect(through({ content: 'one', step: 1 }, { content: 'on two', step: 1, restart: true })).toEqual(['one', null]);
  });

  it('is incomplete when a further attempt is shorter', () => {
    const text = new AppendOnlyText();
    text.add({ content: 'one two', step: 1 });
    expect(text.isComplete).toBe(true);
    text.add({ content: 'one', step: 1, restart: true });
    expect(text.isComplete).toBe(false);
  });
});
