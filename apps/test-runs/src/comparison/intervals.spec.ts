import { mcnemar, normalQuantile, pairedDifference, wilson } from './intervals.js';

describe('normal quantiles', () => {
  // Table of the standard normal distribution.
  it.each([
    [0.5, 0],
    [0.75, 0.6744898],
    [0.975, 1.959964],
    [0.995, 2.5758293],
    [0.9995, 3.2905267],
    [0.01, -2.3263479],
  ])('of %p are %p', (probability, expected) => {
    expect(normalQuantile(probability)).toBeCloseTo(expected, 6);
  });
});

describe('the Wilson interval', () => {
  // R. G. Newcombe, Two-sided confidence intervals for the single proportion (1998), table I, method 3.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('of %i of %i at 95 %% is %p to %p', (successes, n, low, high) => {
    const interval = wilson(successes, n, 0.95);
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });

  it('of nothing says nothing, and of all successes ends at 1', () => {
    expect(wilson(0, 0, 0.95)).toEqual({ low: 0, high: 1 });
    expect(wilson(20, 20, 0.95).high).toBe(1);
  });
});

describe('the interval of a paired difference', () => {
  // M. W. Fagerland, S. Lydersen, P. Laake, Recommended tests and confidence intervals for paired binomial proportions
  // (2014): airway hyper-responsiveness, 1, 1, 7 and 12 of 21 children; Newcombe square-and-add.
  it('is that of the published example', () => {
    const interval = pairedDifference({ both: 1, onlySecond: 1, onlyFirst: 7, neither: 12 }, 0.95);
    expect(interval.difference).toBeCloseTo(-0.2857, 4);
    expect(interval.low).toBeCloseTo(-0.507, 3);
    expect(interval.high).toBeCloseTo(-0.026, 3);
  });

  it('is the negative when the runs change places', () => {
    const one = pairedDifference({ both: 40, onlySecond: 9, onlyFirst: 4, neither: 7 }, 0.9);
    const other = pairedDifference({ both: 40, onlySecond: 4, onlyFirst: 9, neither: 7 }, 0.9);
    expect(other.low).toBeCloseTo(-one.high, 12);
    expect(other.high).toBeCloseTo(-one.low, 12);
  });
});

describe('the exact McNemar test', () => {
  it.each([
    // The same children as above.
    [1, 7, 0.0703],
    // Twice the lower tail of a binomial distribution with p = 1/2.
    [5, 15, 0.0414],
    [0, 0, 1],
    [10, 10, 1],
  ])('of %i against %i discordant pairs has p = %p', (onlySecond, onlyFirst, expected) => {
    expect(mcnemar({ both: 3, onlySecond, onlyFirst, neither: 3 })).toBeCloseTo(expected, 4);
  });

  it('of many pairs is finite', () => {
    expect(mcnemar({ both: 0, onlySecond: 4000, onlyFirst: 4500, neither: 0 })).toBeLessThan(1e-6);
  });
});
