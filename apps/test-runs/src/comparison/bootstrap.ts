import type { Interval } from './intervals.js';

/** Enough for the percentiles of a 99.9 % interval. */
const RESAMPLES = 4000;
/** Values drawn before other work of the process gets its turn. */
const DRAWN_AT_ONCE = 200_000;

/** A seeded generator of numbers in [0, 1), so that the same runs always have the same interval (mulberry32). */
function generator(seed: number): () => number {
  const { imul } = Math;
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const mean = (values: ArrayLike<number>): number => {
  let sum = 0;
  for (let at = 0; at < values.length; at++) sum += values[at] ?? 0;
  return sum / values.length;
};

/**
 * The percentile interval of the mean of paired differences, by resampling the pairs. `pause` is awaited between slices
 * of the work.
 */
export async function bootstrapMean(
  differences: readonly number[],
  confidence: number,
  seed: number,
  pause: () => Promise<void>,
): Promise<Interval & { difference: number }> {
  const n = differences.length;
  const random = generator(seed);
  const means = new Float64Array(RESAMPLES);
  let drawn = 0;
  for (let at = 0; at < RESAMPLES; at++) {
    let sum = 0;
    for (let draw = 0; draw < n; draw++) sum += differences[(random() * n) | 0] ?? 0;
    means[at] = sum / n;
    drawn += n;
    if (drawn < DRAWN_AT_ONCE) continue;
    drawn = 0;
    await pause();
  }
  means.sort();
  const tail = (1 - confidence) / 2;
  return { difference: mean(differences), low: quantile(means, tail), high: quantile(means, 1 - tail) };
}

/** A quantile of sorted values with linear interpolation. */
function quantile(sorted: Float64Array, probability: number): number {
  const position = probability * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(position)] ?? 0, sorted[Math.ceil(position)] ?? 0];
  return below + (above - below) * (position - Math.floor(position));
}
