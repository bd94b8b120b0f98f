import { costOf, NONE, rate, totalOf } from './metrics.js';

describe('figures', () => {
  it('of some requests are sums and joined distributions', () => {
    const one = { ...NONE, recorded: 1, latencies: Buffer.from([1]) };
    const other = { ...NONE, recorded: 2, deleted: 1, latencies: Buffer.from([2, 3]) };
    expect(totalOf([one, other])).toEqual({ ...NONE, recorded: 3, deleted: 1, latencies: Buffer.from([1, 2, 3]) });
    expect(totalOf([])).toEqual(NONE);
  });

  it.each([
    [0, 0, null],
    [0, 4, 0],
    [1, 4, 0.25],
  ])('have %d in %d as rate %p', (some, all, expected) => {
    expect(rate(some, all)).toBe(expected);
  });

  it.each([
    [0, 0, null],
    [2, 0, 0],
    [2, 0.1 + 0.2, 0.3],
  ])('with %d prices that sum up to %d cost %p', (priced, cost, expected) => {
    expect(costOf({ ...NONE, priced, cost })).toBe(expected);
  });
});
