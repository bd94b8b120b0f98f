import { type Delta, AppendOnlyText } from './append-only-text.js';

const through = (...deltas: Delta[]): (string | null)[] => {
  const text = new AppendOnlyText();
  return deltas.map((delta) => text.add(delta));
};

describe('a text of which nothing can be taken back', () => {
  it('is what is said, message after message', () => {
    expect(
      through({ content: 'let ', step: 1 }, { content: 'me see', step: 1 }, { content: 'it is 5', step: 3 }),
    ).toEqual(['let ', 'me see', '\n\nit is 5']);
    expect(through({ content: '', step: 1 }, { content: 'a', step: 3 })).toEqual(['', 'a']);
  });

  it('goes on where another try goes beyond the first', () => {
    expect(
      through(
        { content: 'one two', step: 1 },
        { content: 'one', step: 1, restart: true },
        { content: ' two', step: 1 },
        { content: ' three', step: 1 },
      ),
    ).toEqual(['one two', '', '', ' three']);
  });

  it('ends when another try says something else', () => {
    expect(through({ content: 'one', step: 1 }, { content: 'on two', step: 1, restart: true })).toEqual(['one', null]);
  });

  it('is not whole when another try says less', () => {
    const text = new AppendOnlyText();
    text.add({ content: 'one two', step: 1 });
    expect(text.isWhole).toBe(true);
    text.add({ content: 'one', step: 1, restart: true });
    expect(text.isWhole).toBe(false);
  });
});
