/** Coefficients of Acklam's approximation. */

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

/** Acklam's rational approximation, relative error below 1.2e-9. */
export function normalQuantile(probability: number): number {
  if (probability < CENTRAL) {
    const q = Math.sqrt(-2 * Math.log(probability));
    return polynomial(C, q) / polynomial(D, q);
  }
  if (probability > 1 - CENTRAL) return -normalQuantile(1 - probability);
  const q = probability - 0.5;
  return (polynomial(A, q * q) * q) / polynomial(B, q * q);
}

/** Two-sided, of the standard normal distribution. */
export function normalTails(z: number): number {
  const x = (z * z) / 2;
  if (x === 0) return 1;
  // The incomplete gamma function of 1/2: a series near 0, a continued fraction elsewhere.
  const scale = Math.exp(-x) * Math.sqrt(x / Math.PI);
  if (x < 1.5) {
    let [term, sum] = [2, 2];
    for (let k = 1.5; term > sum * 1e-16; k++) sum += term *= x / k;
    return 1 - scale * sum;
  }
  let fraction = 0;
  for (let k = 60; k > 0; k--) fraction = (k * (k - 0.5)) / (x + 2 * k + 0.5 - fraction);
  return scale / (x + 0.5 - fraction);
}

const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** Lanczos' approximation, for values of at least 1/2. */
function logGamma(value: number): number {
  const x = value - 1;
  const sum = LANCZOS.reduce((total, coefficient, at) => (at === 0 ? coefficient : total + coefficient / (x + at)), 0);
  const t = x + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (x + 0.5) * Math.log(t) - t + Math.log(sum);
}

/** The continued fraction of the incomplete beta function, by Lentz' method. */
function betaFraction(x: number, a: number, b: number): number {
  const bounded = (value: number): number => (Math.abs(value) < 1e-300 ? 1e-300 : value);
  let c = 1;
  let d = 1 / bounded(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m < 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / bounded(1 + even * d);
    c = bounded(1 + even / c);
    result *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / bounded(1 + odd * d);
    c = bounded(1 + odd / c);
    result *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return result;
}

function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const log = logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x);
  return (Math.exp(log) * betaFraction(x, a, b)) / a;
}

/** Two-sided, of Student's distribution. */
export const studentTails = (t: number, freedom: number): number =>
  incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5);

/** The two-sided critical value for a probability of `alpha`. */
export function studentQuantile(alpha: number, freedom: number): number {
  let [low, high] = [0, 1];
  while (studentTails(high, freedom) > alpha) high *= 2;
  for (let step = 0; step < 100; step++) {
    const middle = (low + high) / 2;
    if (studentTails(middle, freedom) > alpha) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
