import { binaryDifference, scoreDifference, verdictOf } from './differences.js';

const pairs = (both: number, onlyFirst: number, onlySecond: number, neither: number): [boolean, boolean][] => [
  ...Array<[boolean, boolean]>(both).fill([true, true]),
  ...Array<[boolean, boolean]>(onlyFirst).fill([true, false]),
  ...Array<[boolean, boolean]>(onlySecond).fill([false, true]),
  ...Array<[boolean, boolean]>(neither).fill([false, false]),
];

describe('the difference of yes-or-no results', () => {
  it('is worse when its interval is below 0', () => {
    const found = binaryDifference(pairs(1, 7, 1, 12), 0.95);
    expect(found).toMatchObject({ verdict: 'worse', method: 'newcombe_paired', n: 21 });
    expect(found.low).toBeCloseTo(-0.507, 3);
    expect(found.p_value).toBeCloseTo(0.0703, 4);
  });

  it('is better for the other order', () => {
    expect(binaryDifference(pairs(1, 1, 7, 12), 0.95).verdict).toBe('better');
  });

  it('is not shown by few pairs, and not by none', () => {
    expect(binaryDifference(pairs(5, 1, 2, 0), 0.95).verdict).toBe('no_difference_shown');
    expect(binaryDifference([], 0.95)).toMatchObject({ verdict: 'no_difference_shown', difference: null, n: 0 });
  });
});

it('the difference of scores is that of its interval', () => {
  expect(scoreDifference({ difference: 0.4, low: 0.1, high: 0.7 }, 9)).toMatchObject({ verdict: 'better', n: 9 });
  expect(scoreDifference(null, 0)).toMatchObject({ verdict: 'no_difference_shown', low: null });
});

it.each([
  [0.1, 0.2, 'better'],
  [-0.2, -0.1, 'worse'],
  [-0.1, 0.1, 'no_difference_shown'],
  [0, 0.2, 'no_difference_shown'],
  [-0.2, 0, 'no_difference_shown'],
] as const)('an interval from %p to %p is %s', (low, high, verdict) => {
  expect(verdictOf({ low, high })).toBe(verdict);
});
