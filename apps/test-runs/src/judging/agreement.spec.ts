import { agreementOf, majority } from './agreement.js';

const ratings = (...counts: number[]): number[] =>
  counts.flatMap((count, category) => Array<number>(count).fill(category));

describe('the agreement of repeats', () => {
  // J. L. Fleiss, Measuring nominal scale agreement among many raters (1971), worked example of ten subjects and
  // fourteen raters as reproduced in textbooks: the column P_i.
  it.each([
    [[0, 0, 0, 0, 14], 1],
    [[0, 2, 6, 4, 2], 0.253],
    [[0, 0, 3, 5, 6], 0.308],
    [[0, 3, 9, 2, 0], 0.44],
    [[2, 2, 8, 1, 1], 0.33],
    [[7, 7, 0, 0, 0], 0.462],
    [[3, 2, 6, 3, 0], 0.242],
    [[2, 5, 3, 2, 2], 0.176],
    [[6, 5, 2, 1, 0], 0.286],
    [[0, 2, 2, 3, 7], 0.286],
  ])('of the ratings %j is %p', (counts, expected) => {
    expect(agreementOf(ratings(...counts))).toBeCloseTo(expected, 3);
  });

  it('is full for a single repeat and unknown for none', () => {
    expect(agreementOf([false])).toBe(1);
    expect(agreementOf([])).toBeNull();
  });
});

describe('the verdict over repeats', () => {
  it.each([
    [[true, true, false], true],
    [[true, false, false], false],
    [[true, false], false],
    [[true, null], true],
    [[null], null],
    [[], null],
  ])('of %j is %p', (matched, expected) => {
    expect(majority(matched as (boolean | null)[])).toBe(expected);
  });
});
