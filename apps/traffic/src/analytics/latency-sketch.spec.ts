import { middleOf, percentilesOf } from './latency-sketch.js';

function sketchOf(entries: [bin: number, count: number][]): Buffer {
  const bytes = Buffer.alloc(entries.length * 6);
  entries.forEach(([bin, count], at) => {
    bytes.writeInt16BE(bin, at * 6);
    bytes.writeInt32BE(count, at * 6 + 2);
  });
  return bytes;
}

const binOf = (ms: number): number => (ms <= 0 ? 0 : 1 + Math.ceil(Math.log(ms) / Math.log(1.02)));

describe('a sketch of latencies', () => {
  it('has every value within one per cent, and short ones exactly', () => {
    for (let ms = 0; ms < 3_000_000; ms = Math.ceil(ms * 1.007) + 1) {
      const near = middleOf(binOf(ms));
      expect(Math.abs(near - ms)).toBeLessThanOrEqual(ms < 50 ? 0 : ms * 0.01 + 0.5);
    }
    expect(binOf(2 ** 31 - 1)).toBeLessThan(2 ** 15);
  });

  it.each([
    [0.5, [100, 200, 300], 200],
    [0.5, [100, 200], 100],
    [0.9, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 9],
    [0.95, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 10],
    [0.5, [0, 0, 7], 0],
    [0.95, [42], 42],
  ])('has its percentile %d of %p at %d', (share, values, expected) => {
    const sketch = sketchOf(values.map((ms) => [binOf(ms), 1]));
    expect(Math.abs((percentilesOf(sketch, [share])[0] ?? NaN) - expected)).toBeLessThanOrEqual(expected * 0.01);
  });

  it('has several percentiles at once', () => {
    const sketch = sketchOf([10, 20, 30, 40].map((ms) => [binOf(ms), 1]));
    expect(percentilesOf(sketch, [0, 0.25, 0.5, 0.75, 0.8, 1])).toEqual([10, 10, 20, 30, 40, 40]);
  });

  it('adds up the entries of a bin, including negative ones', () => {
    const bytes = sketchOf([
      [binOf(10), 5],
      [binOf(20), 2],
      [binOf(10), -4],
      [binOf(20), 1],
    ]);
    expect(percentilesOf(bytes, [0.5])).toEqual([20]);
    const gone = sketchOf([
      [3, 2],
      [3, -2],
    ]);
    expect(percentilesOf(gone, [0.5])).toEqual([null]);
    expect(percentilesOf(Buffer.alloc(0), [0.5, 0.9])).toEqual([null, null]);
    expect(percentilesOf(sketchOf([[binOf(30), 1]]), [0.5])).toEqual([30]);
  });
});
