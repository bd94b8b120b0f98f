import { normalQuantile, normalTails, studentQuantile, studentTails } from './distributions.js';

/** A two-sided confidence interval. */
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

/** The difference of paired results, second minus first, with a test and the intervals that are the inversion of it. */
export interface PairedTest {
  difference: number;
  /** Two-sided, of the hypothesis that there is no difference. */
  p: number;
  /** The interval at the level 1 - alpha; it leaves out 0 exactly when p is below alpha. */
  interval(alpha: number): Interval;
}

/** The results of n pairs of yes-or-no judgements. */
export interface PairedCounts {
  both: number;
  onlyFirst: number;
  onlySecond: number;
  neither: number;
}

/**
 * The score test of the difference of two paired proportions and its interval (T. Tango, 1998). Against no difference it
 * is McNemar's test without correction.
 */
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

/** How far the counts are from a difference, in standard errors under it; falls as the difference grows. */
function scoreOf({ onlySecond: b, onlyFirst: c }: PairedCounts, n: number, difference: number): number {
  const distance = b - c - n * difference;
  if (distance === 0) return 0;
  const linear = (2 * n - b + c) * difference - b - c;
  const constant = -c * difference * (1 - difference);
  // The most likely share of pairs with the first result alone under the difference.
  const share = (Math.sqrt(Math.max(0, linear * linear - 8 * n * constant)) - linear) / (4 * n);
  const variance = n * (2 * share + difference * (1 - difference));
  return distance / Math.sqrt(Math.max(variance, Number.MIN_VALUE));
}

/** Where a condition that holds from the low end on ceases to hold. */
function crossing(from: number, to: number, holds: (value: number) => boolean): number {
  let [low, high] = [from, to];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Sums over the differences of paired values. */
export interface PairedSums {
  n: number;
  sum: number;
  squares: number;
  /** The least distance of two values. */
  step: number;
}

/**
 * Student's test of paired differences and its interval, for at least two pairs. Values are rounded to steps: where all
 * differences are equal, the variance of the rounding of both values stands for theirs.
 */
export function pairedMeans({ n, sum, squares, step }: PairedSums): PairedTest {
  const difference = sum / n;
  const spread = (squares - sum * difference) / (n - 1);
  // Sums of equal values differ by what floating-point numbers round off.
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
 * The factors by which Holm's method raises p values of tests that are made together. Raised to it, a p value is below
 * alpha exactly when the unraised one is below alpha divided by the factor.
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
