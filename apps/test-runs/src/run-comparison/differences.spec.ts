import { type Compared, differencesOf, LEAST_PAIRS, type Pairs } from './differences.js';

const binary = (both: number, onlyFirst: number, onlySecond: number, neither: number): Pairs => ({
  n: both + onlyFirst + onlySecond + neither,
  isBinary: true,
  repeats: 1,
  counts: { both, onlyFirst, onlySecond, neither },
  sum: onlySecond - onlyFirst,
  squares: onlySecond + onlyFirst,
});
const scores = (differences: readonly number[], repeats = 1): Pairs => ({
  ...binary(0, 0, 0, 0),
  n: differences.length,
  isBinary: false,
  repeats,
  sum: differences.reduce((sum, each) => sum + each, 0),
  squares: differences.reduce((sum, each) => sum + each * each, 0),
});
const compared = (pairs: Pairs, criteria_id: number | null = null): Compared => ({
  test_run_id: 2,
  base_run_id: 1,
  criteria_id,
  name: 'match_rate',
  pairs,
});
const only = (pairs: Pairs, confidence = 0.95) => differencesOf([compared(pairs)], confidence)[0];

describe('the difference of two runs', () => {
  it('is worse or better when the interval leaves out 0, and the p value says the same', () => {
    const found = only(binary(1, 7, 1, 12));
    expect(found).toMatchObject({ verdict: 'worse', method: 'mcnemar_tango', n: 21, test_run_id: 2, base_run_id: 1 });
    expect(found?.high).toBeLessThan(0);
    expect(found?.p_value).toBeCloseTo(0.0339, 4);
    expect(only(binary(1, 1, 7, 12))?.verdict).toBe('better');
    expect(only(binary(5, 1, 2, 1))?.verdict).toBe('no_difference_shown');
  });

  it.each([
    [binary(0, 0, LEAST_PAIRS - 1, 0), 1],
    [scores([1]), 1],
    [scores([1, 1, 1]), 1],
    [binary(0, 0, 0, 0), null],
  ])('has no verdict over too few items, however they are', (pairs, difference) => {
    expect(only(pairs, 0.5)).toMatchObject({ verdict: 'too_few', difference, low: null, high: null, p_value: null });
  });

  it('of scores, and of items with repeats, is a mean', () => {
    expect(only(scores([1, 1, 1, 1, 1, 1, 1, 2]))).toMatchObject({ verdict: 'better', method: 'paired_t', n: 8 });
    const shares = { ...scores([0.5, 0, -0.5, 0.5, 0, 0, -0.5, 0.5, 0], 2), isBinary: true };
    expect(only(shares)).toMatchObject({ verdict: 'no_difference_shown', method: 'paired_t' });
  });

  it('is adjusted for the others that are tested with it, interval and p value alike', () => {
    const pairs = binary(1, 7, 1, 12);
    const [first, other, few] = differencesOf(
      [compared(pairs), compared(binary(9, 3, 4, 5), 5), compared(binary(0, 0, 3, 0), 6)],
      0.95,
    );
    expect(first).toMatchObject({ verdict: 'no_difference_shown', method: 'mcnemar_tango, Holm' });
    expect(first?.p_value).toBeCloseTo(2 * 0.0339, 4);
    expect(first?.low).toBeLessThan(0);
    expect(first?.high).toBeGreaterThan(0);
    expect(other?.verdict).toBe('no_difference_shown');
    expect(few?.verdict).toBe('too_few');
  });

  it('agrees in interval, p value and verdict in every family', () => {
    for (let spread = 0; spread < 12; spread++) {
      const family = [1, 2, 3, 4, 5].map((at) => compared(binary(10, (at * spread) % 9, (at + spread) % 11, 6), at));
      for (const { low, high, p_value, verdict } of differencesOf(family, 0.9)) {
        expect(verdict).toBe(low! > 0 ? 'better' : high! < 0 ? 'worse' : 'no_difference_shown');
        expect(p_value! < 0.1).toBe(verdict !== 'no_difference_shown');
      }
    }
  });
});
