import { normalQuantile, normalTails, studentQuantile, studentTails } from './distributions.js';

export interface Interval {
  low: number;
  high: number;
}

export function wilson(successes: number, n: number, confidence: number): Interval {
  if (n === 0) return { low: 0, high: 1 };
  const z2 = normalQuantile(1 - (1 - confidence) / 2) ** 2;
  const p = successes / n;
  const centre = 2 * n * p + z2;
  const spread = Math.sqrt(z2 * (z2 + 4 * n * p * (1 - p)));
  const [low, high] = [(centre - spread) / (2 * (n + z2)), (centre + spread) / (2 * (n + z2))];
  return { low: successes === 0 ? 0 : low, high: successes === n ? 1 : high };
}

/** The intervals are the inversion of the test. */
export interface PairedTest {
  difference: number;
  /** Two-sided, of the hypothesis that there is no difference. */
  p: number;
  /** At the level 1 - alpha; excludes 0 exactly when p is below alpha. */
  interval(alpha: number): Interval;
}

export interface PairedCounts {
  both: number;
  onlyFirst: number;
  onlySecond: number;
  neither: number;
}

/** Score test and interval of T. Tango (1998). Against no difference it is McNemar's test without correction. */
export function pairedProportions(counts: PairedCounts): PairedTest {
  const n = counts.both + counts.onlyFirst + counts.onlySecond + counts.neither;
  const difference = (counts.onlySecond - counts.onlyFirst) / n;
  return {
    difference,
    p: normalTails(scoreOf(counts, n, 0)),
    interval: (alpha) => {
      const z = normalQuantile(1 - alpha / 2);
      return {
        low: crossing(-1, difference, (value) => scoreOf(counts, n, value) > z),
        high: crossing(difference, 1, (value) => scoreOf(counts, n, value) > -z),
      };
    },
  };
}

/** In standard errors under the difference; falls as the difference grows. */
function scoreOf({ onlySecond: b, onlyFirst: c }: PairedCounts, n: number, difference: number): number {
  const distance = b - c - n * difference;
  if (distance === 0) return 0;
  const linear = (2 * n - b + c) * difference - b - c;
  const constant = -c * difference * (1 - difference);
  // The most likely share of pairs with only the first result under the difference.
  const share = (Math.sqrt(Math.max(0, linear * linear - 8 * n * constant)) - linear) / (4 * n);
  const variance = n * (2 * share + difference * (1 - difference));
  return distance / Math.sqrt(Math.max(variance, Number.MIN_VALUE));
}

/** The bisection requires a condition that holds from the low end on. */
function crossing(from: number, to: number, holds: (value: number) => boolean): number {
  let [low, high] = [from, to];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

export interface PairedSums {
  n: number;
  sum: number;
  squares: number;
  /** The smallest distance of two values. */
  step: number;
}

/**
 * Student's test, for at least two pairs. Values are rounded to steps: where all differences are equal, the variance of
 * the rounding of both values stands for theirs.
 */
export function pairedMeans({ n, sum, squares, step }: PairedSums): PairedTest {
  const difference = sum / n;
  const spread = (squares - sum * difference) / (n - 1);
  // Sums of equal values differ by floating-point rounding.
  const isEqual = spread <= (squares / n) * 1e-9;
  const error = Math.sqrt((isEqual ? step ** 2 / 6 : spread) / n);
  return {
    difference,
    p: studentTails(difference / error, n - 1),
    interval: (alpha) => {
      const width = studentQuantile(alpha, n - 1) * error;
      return { low: difference - width, high: difference + width };
    },
  };
}

/**
 * The factors by which Holm's method raises p values of tests that are made together. A raised p value is below alpha
 * exactly when the original is below alpha divided by the factor.
 */
export function holmFactors(ps: readonly number[]): number[] {
  const factors = ps.map(() => 1);
  let highest = 0;
  const order = ps.map((p, at) => ({ p, at })).sort((one, other) => one.p - other.p);
  for (const [rank, { p, at }] of order.entries()) {
    highest = Math.max(highest, p * (ps.length - rank));
    factors[at] = p > 0 ? highest / p : ps.length - rank;
  }
  return factors;
}
