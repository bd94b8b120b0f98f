import { polyline, rangeOf } from './curve.js';

describe('a curve', () => {
  it('fills its box from the least to the most, the most at the top', () => {
    const points = [
      { x: 1, y: 4 },
      { x: 2, y: 2 },
      { x: 3, y: 0 },
    ];
    expect(polyline(points, [1, 3], [0, 4], [100, 50])).toBe('0,0 50,25 100,50');
  });

  it('draws a single value in the middle', () => {
    expect(rangeOf([3])).toEqual([2.5, 3.5]);
    expect(polyline([{ x: 1, y: 3 }], rangeOf([1]), rangeOf([3]), [10, 10])).toBe('5,5');
  });
});
