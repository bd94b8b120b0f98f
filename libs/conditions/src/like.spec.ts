import fc from 'fast-check';
import { like } from './like.js';
import { positionOf, positionOfWild } from './linear-search.js';

const letters = (alphabet: string, maxLength: number) => fc.string({ unit: fc.constantFrom(...alphabet), maxLength });
const points = (text: string): number[] => [...text].map((letter) => letter.codePointAt(0)!);

describe('like', () => {
  it.each([
    ['Order 42', 'order __', true],
    ['Order 42', '%ORDER%', true],
    ['Order 42', 'order', false],
    ['Order 42', '%4_', true],
    ['', '', true],
    ['', '%', true],
    ['', '_', false],
    ['a😀b', 'a_b', true],
    ['aab', '%ab', true],
    ['ab', 'ab%ab', false],
  ])('%j like %j is %s', (text, pattern, expected) => {
    expect(like(text, pattern)).toBe(expected);
  });

  it('agrees with an equivalent regular expression', () => {
    fc.assert(
      fc.property(letters('aab', 14), letters('aab%_', 8), (text, pattern) => {
        const expression = new RegExp(`^${pattern.replaceAll('%', '.*').replaceAll('_', '.')}$`);
        expect(like(text, pattern)).toBe(expression.test(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it('finds parts longer than a machine word, with and without placeholders', () => {
    fc.assert(
      fc.property(letters('ab', 120), letters('aaaaaaab_', 50), (text, part) => {
        const at = text.search(new RegExp(part.replaceAll('_', '.')));
        if (part !== '') expect(positionOfWild(points(text), points(part), points('_')[0]!)).toBe(at);
        expect(positionOf(points(text), points(part))).toBe(text.indexOf(part));
      }),
      { numRuns: 2_000 },
    );
  });

  it('takes time linear in the text for every pattern', () => {
    const began = process.cpuUsage();
    expect(like('a'.repeat(900_000), `%${'a'.repeat(19_000)}b%`)).toBe(false);
    expect(like('a'.repeat(900_000), `%${'a%'.repeat(9_000)}b`)).toBe(false);
    // Takes 1 to 3 s by the load of the machine; a backtracking matcher took 55 s.
    expect(process.cpuUsage(began).user / 1_000).toBeLessThan(15_000);
  });
});
