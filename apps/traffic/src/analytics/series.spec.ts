import { type Figures, NONE } from './figures.js';
import { VOLUME } from './points.js';
import { seriesOf, totalOf } from './series.js';

const row = (bucket: number, key: string | null, some: Partial<Figures>) => ({
  bucket,
  key,
  figures: { ...NONE, ...some },
});

describe('series', () => {
  it('have a point in every bucket, and the busiest comes first', () => {
    const rows = [
      row(20, 'b', { recorded: 1 }),
      row(10, 'c', { recorded: 3, deleted: 1 }),
      row(30, null, { recorded: 1 }),
    ];
    expect(seriesOf(rows, [10, 20, 30], VOLUME)).toEqual([
      { key: 'c', points: [10, 20, 30].map((timestamp) => ({ timestamp, count: timestamp === 10 ? 2 : 0 })) },
      { key: 'b', points: [10, 20, 30].map((timestamp) => ({ timestamp, count: timestamp === 20 ? 1 : 0 })) },
      { key: 'none', points: [10, 20, 30].map((timestamp) => ({ timestamp, count: timestamp === 30 ? 1 : 0 })) },
    ]);
    expect(totalOf(rows, VOLUME)).toEqual({ count: 4 });
  });

  it('are refused when they are too much for one reply', () => {
    const rows = Array.from({ length: 101 }, (_, key) => row(0, String(key), { recorded: 1 }));
    const buckets = Array.from({ length: 1000 }, (_, at) => at);
    expect(() => seriesOf(rows, buckets, VOLUME)).toThrow('not valid');
    expect(seriesOf(rows.slice(1), buckets, VOLUME)).toHaveLength(100);
  });
});
