/** A two-sided confidence interval. */
export interface Interval {
  low: number;
  high: number;
}

const CENTRAL = 0.02425;
const A = [
  -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716, 2.506628277459239,
];
const B = [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572, 1];
const C = [
  -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
  2.938163982698783,
];
const D = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1];

const polynomial = (coefficients: readonly number[], x: number): number =>
  coefficients.reduce((sum, coefficient) => sum * x + coefficient, 0);

/** The quantile of the standard normal distribution by Acklam's rational approximation, relative error below 1.2e-9. */
export function normalQuantile(probability: number): number {
  if (probability < CENTRAL) {
    const q = Math.sqrt(-2 * Math.log(probability));
    return polynomial(C, q) / polynomial(D, q);
  }
  if (probability > 1 - CENTRAL) return -normalQuantile(1 - probability);
  const q = probability - 0.5;
  return (polynomial(A, q * q) * q) / polynomial(B, q * q);
}

const zOf = (confidence: number): number => normalQuantile(1 - (1 - confidence) / 2);

/** The Wilson score interval of a proportion. */
export function wilson(successes: number, n: number, confidence: number): Interval {
  if (n === 0) return { low: 0, high: 1 };
  const z2 = zOf(confidence) ** 2;
  const p = successes / n;
  const centre = 2 * n * p + z2;
  const spread = Math.sqrt(z2 * (z2 + 4 * n * p * (1 - p)));
  const [low, high] = [(centre - spread) / (2 * (n + z2)), (centre + spread) / (2 * (n + z2))];
  return { low: successes === 0 ? 0 : low, high: successes === n ? 1 : high };
}

/** The results of n pairs of yes-or-no judgements. */
export interface PairedCounts {
  both: number;
  onlyFirst: number;
  onlySecond: number;
  neither: number;
}

/**
 * The interval of the difference of two paired proportions, second minus first: Newcombe's method 10, which combines
 * the Wilson intervals of both and corrects for their correlation.
 */
export function pairedDifference(counts: PairedCounts, confidence: number): Interval & { difference: number } {
  const { both: a, onlySecond: b, onlyFirst: c, neither: d } = counts;
  const n = a + b + c + d;
  const [p1, p2] = [(a + b) / n, (a + c) / n];
  const [first, second] = [wilson(a + b, n, confidence), wilson(a + c, n, confidence)];
  const phi = correlation(a, b, c, d);
  const width = (x: number, y: number): number => Math.sqrt(Math.max(0, x * x - 2 * phi * x * y + y * y));
  const difference = p1 - p2;
  return {
    difference,
    low: difference - width(p1 - first.low, second.high - p2),
    high: difference + width(first.high - p1, p2 - second.low),
  };
}

/** The phi coefficient with Newcombe's continuity correction. */
function correlation(a: number, b: number, c: number, d: number): number {
  const scale = Math.sqrt((a + b) * (c + d) * (a + c) * (b + d));
  if (scale === 0) return 0;
  const determinant = a * d - b * c;
  const n = a + b + c + d;
  return (determinant > n / 2 ? determinant - n / 2 : Math.min(determinant, 0)) / scale;
}

/** The two-sided p value of the exact McNemar test: of the discordant pairs, how many favour one side. */
export function mcnemar({ onlyFirst, onlySecond }: PairedCounts): number {
  const discordant = onlyFirst + onlySecond;
  const fewer = Math.min(onlyFirst, onlySecond);
  // In logarithms, because the binomial coefficients of many pairs exceed a number.
  let log = -discordant * Math.LN2;
  let tail = 0;
  for (let k = 0; k <= fewer; k++) {
    tail += Math.exp(log);
    log += Math.log((discordant - k) / (k + 1));
  }
  return Math.min(1, 2 * tail);
}
