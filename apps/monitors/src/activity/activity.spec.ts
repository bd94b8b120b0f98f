import { metricsOf, partsOf, pointsOf, spanOf, sumOf } from './activity.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const counts = { pass: 1, warning: 3, fault: 1, error: 2, total: 7 };

describe('the span of activity', () => {
  it('is the last seven days by default, and includes the present moment', () => {
    expect(spanOf({ bucket: 'day' }, 10 * DAY)).toEqual({ start: 3 * DAY + 1, end: 10 * DAY + 1, bucketMs: DAY });
    expect(spanOf({ bucket: 'hour', end_date: 9 * DAY }, 10 * DAY)).toMatchObject({ start: 2 * DAY, end: 9 * DAY });
  });

  it('has at most a thousand buckets, and a start before its end', () => {
    expect(() => spanOf({ bucket: 'hour', start_date: 0, end_date: 1000 * HOUR }, 0)).not.toThrow();
    expect(() => spanOf({ bucket: 'hour', start_date: 0, end_date: 1000 * HOUR + 1 }, 0)).toThrow('more than 1000');
    expect(() => spanOf({ bucket: 'hour', end_date: 0 }, 5)).toThrow('must be before end_date');
  });
});

describe('the parts of a span', () => {
  const ofParts = (start: number, end: number, bucketMs: number) => Object.values(partsOf({ start, end, bucketMs }));

  it('are runs around whole hours, around whole days where buckets are days', () => {
    const [start, end] = [DAY - 2.5 * HOUR, 3 * DAY + 2 * HOUR + 7];
    expect(ofParts(start, end, DAY)).toEqual([start, DAY - 2 * HOUR, DAY, 3 * DAY, 3 * DAY + 2 * HOUR, end]);
    expect(ofParts(start, end, HOUR)).toEqual([start, DAY - 2 * HOUR, ...Array(3).fill(3 * DAY + 2 * HOUR), end]);
    expect(ofParts(DAY, 2 * DAY, DAY)).toEqual([DAY, DAY, DAY, 2 * DAY, 2 * DAY, 2 * DAY]);
  });

  it('are runs alone within an hour, and no days within a day', () => {
    expect(ofParts(HOUR + 1, 2 * HOUR + 1, DAY)).toEqual([HOUR + 1, ...Array(5).fill(2 * HOUR + 1)]);
    expect(ofParts(HOUR, 3 * HOUR, DAY)).toEqual([HOUR, HOUR, ...Array(4).fill(3 * HOUR)]);
  });
});

describe('the points of activity', () => {
  it('are aligned to UTC and have no gaps', () => {
    const span = { start: DAY + 5, end: 4 * DAY, bucketMs: DAY };
    expect(pointsOf(span, [{ timestamp: 2 * DAY, ...counts }])).toEqual([
      { timestamp: DAY, pass: 0, warning: 0, fault: 0, error: 0, total: 0 },
      { timestamp: 2 * DAY, ...counts },
      { timestamp: 3 * DAY, pass: 0, warning: 0, fault: 0, error: 0, total: 0 },
    ]);
  });

  it('add up', () => {
    expect(sumOf([counts, counts])).toEqual({ pass: 2, warning: 6, fault: 2, error: 4, total: 14 });
  });
});

describe('the rates of runs', () => {
  const rest = { duration_ms: 40, cost: null, last_run_at: 5 };

  it.each([
    [{ pass: 0, warning: 0, fault: 0, error: 0, total: 0 }, null, null, null],
    [{ pass: 0, warning: 0, fault: 0, error: 4, total: 4 }, null, null, 10],
    [{ pass: 2, warning: 1, fault: 1, error: 4, total: 8 }, 0.25, 0.25, 5],
    [{ pass: 0, warning: 0, fault: 4, error: 0, total: 4 }, 1, 0, 10],
  ])('of %j', (given, fault_rate, warning_rate, avg_runner_duration_ms) => {
    expect(metricsOf({ ...given, ...rest })).toMatchObject({ fault_rate, warning_rate, avg_runner_duration_ms });
  });
});
