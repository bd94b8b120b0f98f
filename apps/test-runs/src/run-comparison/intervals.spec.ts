import { holmFactors, type PairedCounts, pairedMeans, pairedProportions, wilson } from './intervals.js';

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

describe('the difference of paired proportions', () => {
  // M. W. Fagerland, S. Lydersen, P. Laake, Recommended tests and confidence intervals for paired binomial proportions
  // (2014): airway hyper-responsiveness, 1, 1, 7 and 12 of 21 children; McNemar's test and Tango's interval.
  const CHILDREN = { both: 1, onlySecond: 1, onlyFirst: 7, neither: 12 };

  it('is that of the published example', () => {
    const test = pairedProportions(CHILDREN);
    expect(test.difference).toBeCloseTo(-0.2857, 4);
    expect(test.p).toBeCloseTo(0.0339, 4);
    expect(test.interval(0.05).low).toBeCloseTo(-0.517, 3);
    expect(test.interval(0.05).high).toBeCloseTo(-0.026, 3);
  });

  it('without discordant pairs is around 0, in the closed form of that case', () => {
    const { p, interval } = pairedProportions({ both: 12, onlyFirst: 0, onlySecond: 0, neither: 8 });
    const z2 = 1.959964 ** 2;
    expect(p).toBe(1);
    expect(interval(0.05).high).toBeCloseTo(z2 / (20 + z2), 6);
    expect(interval(0.05).low).toBeCloseTo(-z2 / (20 + z2), 6);
  });

  it('ends at 1 when all pairs have changed', () => {
    const { interval } = pairedProportions({ both: 0, onlyFirst: 0, onlySecond: 9, neither: 0 });
    expect(interval(0.05).high).toBeCloseTo(1, 12);
    expect(interval(0.05).low).toBeLessThan(0.9);
  });

  it('is the negative when the runs change places', () => {
    const one = pairedProportions({ both: 40, onlySecond: 9, onlyFirst: 4, neither: 7 }).interval(0.1);
    const other = pairedProportions({ both: 40, onlySecond: 4, onlyFirst: 9, neither: 7 }).interval(0.1);
    expect(other.low).toBeCloseTo(-one.high, 9);
    expect(other.high).toBeCloseTo(-one.low, 9);
  });

  it('leaves out 0 exactly when its p value is below alpha', () => {
    const tables: PairedCounts[] = [];
    for (let onlyFirst = 0; onlyFirst <= 12; onlyFirst++)
      for (let onlySecond = 0; onlySecond <= 12; onlySecond++)
        for (const rest of [0, 1, 30]) tables.push({ both: rest, onlyFirst, onlySecond, neither: rest });
    for (const counts of tables.filter(({ both, onlyFirst, onlySecond }) => both + onlyFirst + onlySecond > 0))
      for (const alpha of [0.2, 0.05, 0.01, 0.001]) {
        const { p, interval } = pairedProportions(counts);
        const { low, high } = interval(alpha);
        expect([counts, alpha, low > 0 || high < 0]).toEqual([counts, alpha, p < alpha]);
      }
  });
});

describe('the difference of paired means', () => {
  const sumsOf = (values: readonly number[], step = 1) => ({
    n: values.length,
    sum: values.reduce((sum, value) => sum + value, 0),
    squares: values.reduce((sum, value) => sum + value * value, 0),
    step,
  });

  it('is that of the published example', () => {
    // Student, The probable error of a mean (1908): additional hours of sleep by two drugs.
    const test = pairedMeans(sumsOf([1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4]));
    expect(test.difference).toBeCloseTo(1.58, 10);
    expect(test.p).toBeCloseTo(0.002833, 6);
    expect(test.interval(0.05).low).toBeCloseTo(0.7001142, 6);
    expect(test.interval(0.05).high).toBeCloseTo(2.4598858, 6);
  });

  it('of equal differences is no point', () => {
    const test = pairedMeans(sumsOf(Array<number>(8).fill(1)));
    const { low, high } = test.interval(0.05);
    expect([low > 0.5 && low < 0.8, high > 1.2 && high < 1.5]).toEqual([true, true]);
    expect(test.p).toBeGreaterThan(0);
    const thirds = pairedMeans(sumsOf(Array<number>(1000).fill(1 / 3), 1 / 3)).interval(0.05);
    expect(thirds.high - thirds.low).toBeGreaterThan(0.01);
    expect(pairedMeans(sumsOf([0, 0, 0, 0, 0, 0, 0, 0])).p).toBe(1);
  });

  it('leaves out 0 exactly when its p value is below alpha', () => {
    let seed = 11;
    const uniform = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    for (let round = 0; round < 200; round++) {
      const values = Array.from({ length: 8 + (round % 30) }, () => Math.round(uniform() * 4 - 1.5));
      const { p, interval } = pairedMeans(sumsOf(values));
      for (const alpha of [0.1, 0.05, 0.001]) {
        const { low, high } = interval(alpha);
        expect(low > 0 || high < 0).toBe(p < alpha);
      }
    }
  });

  it('covers the true mean about as often as it says', () => {
    let seed = 5;
    const uniform = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    let covered = 0;
    for (let round = 0; round < 400; round++) {
      const { low, high } = pairedMeans(sumsOf(Array.from({ length: 12 }, () => uniform() - uniform()))).interval(0.1);
      if (low <= 0 && high >= 0) covered += 1;
    }
    expect(covered / 400).toBeGreaterThan(0.85);
    expect(covered / 400).toBeLessThan(0.95);
  });
});

describe("Holm's method", () => {
  it('adjusts p values like p.adjust of R', () => {
    const ps = [0.01, 0.04, 0.03, 0.005];
    const adjusted = holmFactors(ps).map((factor, at) => factor * (ps[at] ?? 0));
    for (const [at, expected] of [0.03, 0.06, 0.06, 0.02].entries()) expect(adjusted[at]).toBeCloseTo(expected, 12);
  });

  it('leaves a single one, and does with p values of 0', () => {
    expect(holmFactors([0.3])).toEqual([1]);
    expect(holmFactors([0, 0.5])).toEqual([2, 1]);
    expect(holmFactors([])).toEqual([]);
  });
});
