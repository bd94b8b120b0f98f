import { invalidField } from '@signalbox/contracts';
import { type Metrics, NONE, totalOf } from './metrics.js';
import type { Kind } from './points.js';

/** Metrics by bucket and key. Rows are decoded on access, because there may be tens of thousands. */
export interface MetricRows {
  readonly buckets: readonly number[];
  /** Null for requests that belong to no series. */
  readonly keys: readonly (string | null)[];
  at(row: number): Metrics;
  total(): Metrics;
}

/** The rows of one series by the start of their bucket, which may have several. */
interface Gathered {
  key: string;
  rows: Map<number, number[]>;
}

export interface Series<Point> {
  key: string;
  points: ({ timestamp: number } & Point)[];
}

export const MAX_POINTS = 100_000;
const WITHOUT = 'none';

const tooMany = () => invalidField('group_by', `makes more than ${MAX_POINTS} points: ask for a shorter span`);

function gathered({ buckets, keys }: MetricRows): Gathered[] {
  const series = new Map<string, Gathered>();
  keys.forEach((given, row) => {
    const key = given ?? WITHOUT;
    let one = series.get(key);
    if (!one) series.set(key, (one = { key, rows: new Map() }));
    const bucket = buckets[row] ?? NaN;
    const known = one.rows.get(bucket);
    if (known) known.push(row);
    else one.rows.set(bucket, [row]);
  });
  return [...series.values()];
}

/** Includes empty buckets, in order; the series with most requests is first. */
export function seriesOf<Point>(rows: MetricRows, buckets: readonly number[], kind: Kind<Point>): Series<Point>[] {
  if (rows.keys.length > MAX_POINTS) throw tooMany();
  const series = gathered(rows);
  if (series.length * buckets.length > MAX_POINTS) throw tooMany();
  return series
    .map((one) => oneOf(one, rows, buckets, kind))
    .sort((a, b) => b.requests - a.requests || (a.series.key < b.series.key ? -1 : 1))
    .map((one) => one.series);
}

function oneOf<Point>({ key, rows: known }: Gathered, rows: MetricRows, buckets: readonly number[], kind: Kind<Point>) {
  let requests = 0;
  const empty = kind.point(NONE);
  const points = buckets.map((timestamp) => {
    const own = known.get(timestamp);
    if (!own) return { timestamp, ...empty };
    const figures = own.length === 1 ? rows.at(own[0] ?? 0) : totalOf(own.map((row) => rows.at(row)));
    requests += figures.recorded;
    return { timestamp, ...kind.point(figures) };
  });
  return { requests, series: { key, points } };
}

export const emptySeries = <Point>(key: string, buckets: readonly number[], { point }: Kind<Point>): Series<Point> => ({
  key,
  points: buckets.map((timestamp) => ({ timestamp, ...point(NONE) })),
});
