import { bootstrapMean as bootstrapped } from './bootstrap.js';

const bootstrapMean = (differences: number[], confidence: number, seed: number) =>
  bootstrapped(differences, confidence, seed, () => Promise.resolve());

// B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap (1993), table 2.1: survival times of mice, here one
// sample. The bootstrap standard error of the mean of the treated group is 23.36 in the limit of many resamples (chapter
// 6), so a 90 % interval is about 86.86 ± 1.645 × 23.36.
const TREATED = [94, 197, 16, 38, 99, 141, 23];

describe('the bootstrap interval of a mean', () => {
  it('has the width of the published standard error', async () => {
    const { difference, low, high } = await bootstrapMean(TREATED, 0.9, 1);
    expect(difference).toBeCloseTo(86.857, 3);
    expect((high - low) / 2 / 1.645).toBeGreaterThan(23.36 * 0.95);
    expect((high - low) / 2 / 1.645).toBeLessThan(23.36 * 1.05);
  });

  it('is the same for the same seed, and another for another', async () => {
    const first = await bootstrapMean(TREATED, 0.95, 7);
    expect(await bootstrapMean(TREATED, 0.95, 7)).toEqual(first);
    expect((await bootstrapMean(TREATED, 0.95, 8)).low).not.toBe(first.low);
  });

  it('covers the true mean about as often as it says', async () => {
    let seed = 11;
    const uniform = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    let covered = 0;
    for (let round = 0; round < 100; round++) {
      const sample = Array.from({ length: 40 }, () => uniform() - 0.5);
      const { low, high } = await bootstrapMean(sample, 0.9, round);
      if (low <= 0 && high >= 0) covered += 1;
    }
    expect(covered / 100).toBeGreaterThan(0.82);
    expect(covered / 100).toBeLessThan(0.97);
  });

  it('of equal differences is a point', async () => {
    expect(await bootstrapMean([1, 1, 1], 0.95, 1)).toEqual({ difference: 1, low: 1, high: 1 });
  });
});
