import { type Metrics, NONE, totalOf } from './metrics.js';
import { VOLUME } from './points.js';
import { emptySeries, type MetricRows, seriesOf } from './series.js';

const row = (bucket: number, key: string | null, some: Partial<Metrics>) => ({ bucket, key, some });

function rowsFrom(given: ReturnType<typeof row>[]): MetricRows {
  const at = (row: number): Metrics => ({ ...NONE, ...given[row]?.some });
  const total = (): Metrics => totalOf(given.map((_, row) => at(row)));
  return { buckets: given.map(({ bucket }) => bucket), keys: given.map(({ key }) => key), at, total };
}

describe('series', () => {
  it('have a point in every bucket and are sorted by their number of requests', () => {
    const rows = rowsFrom([
      row(20, 'b', { recorded: 1 }),
      row(10, 'c', { recorded: 3, deleted: 1 }),
      row(30, null, { recorded: 1 }),
    ]);
    expect(seriesOf(rows, [10, 20, 30], VOLUME)).toEqual([
      { key: 'c', points: [10, 20, 30].map((timestamp) => ({ timestamp, count: timestamp === 10 ? 2 : 0 })) },
      { key: 'b', points: [10, 20, 30].map((timestamp) => ({ timestamp, count: timestamp === 20 ? 1 : 0 })) },
      { key: 'none', points: [10, 20, 30].map((timestamp) => ({ timestamp, count: timestamp === 30 ? 1 : 0 })) },
    ]);
  });

  it('add up the rows of a bucket, and label a missing key', () => {
    const rows = rowsFrom([
      row(10, null, { recorded: 2 }),
      row(20, 'none', { recorded: 1 }),
      row(10, 'none', { recorded: 3 }),
    ]);
    const points = [5, 1].map((count, at) => ({ timestamp: 10 + 10 * at, count }));
    expect(seriesOf(rows, [10, 20], VOLUME)).toEqual([{ key: 'none', points }]);
  });

  it('have points in buckets without requests', () => {
    const points = [10, 20].map((timestamp) => ({ timestamp, count: 0 }));
    expect(emptySeries('all', [10, 20], VOLUME)).toEqual({ key: 'all', points });
    expect(seriesOf(rowsFrom([]), [10, 20], VOLUME)).toEqual([]);
  });

  it('are refused when they have too many points for one reply', () => {
    const rows = Array.from({ length: 101 }, (_, key) => row(0, String(key), { recorded: 1 }));
    const buckets = Array.from({ length: 1000 }, (_, at) => at);
    expect(() => seriesOf(rowsFrom(rows), buckets, VOLUME)).toThrow(expect.objectContaining({ status: 400 }));
    expect(seriesOf(rowsFrom(rows.slice(1)), buckets, VOLUME)).toHaveLength(100);
  });
});
