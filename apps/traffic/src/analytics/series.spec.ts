import { type Figures, NONE } from './figures.js';
import { FAULTS, LATENCY, MODEL_USAGE, SUMMARY, USAGE, VOLUME } from './points.js';
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

  it('say nothing where there is nothing to say', () => {
    expect(FAULTS.point(NONE)).toEqual({ evaluated: 0, faults: 0, errors: 0, fault_rate: null });
    expect(LATENCY.point(NONE)).toEqual({ p50_ms: null, p90_ms: null, p95_ms: null, first_token_p50_ms: null });
    expect(USAGE.point(NONE)).toEqual({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, cost: null });
    expect(SUMMARY.point(NONE)).toMatchObject({ error_rate: null, avg_response_time_ms: null, request_count: 0 });
    expect(MODEL_USAGE.point(NONE)).toMatchObject({ requests: 0, p50_ms: null, fault_rate: null, cost: null });
  });

  it('add up cents without noise, and rates of what there was', () => {
    const rows = [
      row(1, 'all', { priced: 1, cost: 0.1, recorded: 1, evaluated: 2 }),
      row(2, 'all', { priced: 1, cost: 0.2, faults: 1 }),
    ];
    expect(totalOf(rows, USAGE).cost).toBe(0.3);
    expect(totalOf(rows, FAULTS).fault_rate).toBe(0.5);
    expect(USAGE.point({ ...NONE, priced: 2 }).cost).toBe(0);
  });
});
