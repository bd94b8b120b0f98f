import { normalQuantile, normalTails, studentQuantile, studentTails } from './distributions.js';

describe('the normal distribution', () => {
  it.each([
    [0.5, 0],
    [0.75, 0.6744898],
    [0.975, 1.959964],
    [0.995, 2.5758293],
    [0.9995, 3.2905267],
    [0.01, -2.3263479],
  ])('has the quantile of %p at %p', (probability, expected) => {
    expect(normalQuantile(probability)).toBeCloseTo(expected, 6);
  });

  it.each([
    [0, 1],
    [0.5, 0.617075],
    [1, 0.3173105],
    [-1.959964, 0.05],
    [2.5758293, 0.01],
    [5, 5.733031e-7],
    [8, 1.244192e-15],
  ])('has the tails of %p at %p', (z, expected) => {
    expect(normalTails(z) / expected).toBeCloseTo(1, 5);
  });
});

describe("Student's distribution", () => {
  it.each([
    [0.05, 1, 12.7062],
    [0.05, 7, 2.364624],
    [0.05, 10, 2.228139],
    [0.01, 20, 2.84534],
    [0.001, 8, 5.041305],
    [0.05, 1000, 1.962339],
  ])('exceeds with %p at %i degrees of freedom %p', (alpha, freedom, expected) => {
    expect(studentQuantile(alpha, freedom)).toBeCloseTo(expected, 4);
    expect(studentTails(expected, freedom)).toBeCloseTo(alpha, 5);
  });

  it('becomes the normal one with many degrees of freedom', () => {
    expect(studentQuantile(0.05, 1_000_000)).toBeCloseTo(1.959966, 5);
    expect(studentTails(0, 9)).toBe(1);
  });
});
