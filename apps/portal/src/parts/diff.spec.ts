import { diffOf, sizeOf } from './script-diff.js';

const TEN = Array.from({ length: 10 }, (_, n) => `line ${n + 1}`);

describe('the difference of two scripts', () => {
  it('is each changed line with the lines around it', () => {
    const before = TEN.join('\n');
    const after = TEN.map((line) => (line === 'line 5' ? 'LINE 5' : line)).join('\n');
    const lines = diffOf(before, after);
    expect(lines.map(({ kind, text, from, to }) => [kind, text, from, to])).toEqual([
      ['gap', '1 equal line', undefined, undefined],
      ['same', 'line 2', 2, 2],
      ['same', 'line 3', 3, 3],
      ['same', 'line 4', 4, 4],
      ['removed', 'line 5', 5, undefined],
      ['added', 'LINE 5', undefined, 5],
      ['same', 'line 6', 6, 6],
      ['same', 'line 7', 7, 7],
      ['same', 'line 8', 8, 8],
      ['gap', '2 equal lines', undefined, undefined],
    ]);
    expect(sizeOf(lines)).toBe('1 added, 1 removed');
  });

  it('is nothing between equal scripts', () => {
    expect(diffOf('a\nb\n', 'a\nb\n')).toEqual([]);
    expect(sizeOf([])).toBe('no difference');
  });
});
