import { invalidField } from '@signalbox/contracts';
import { type Figures, NONE, together } from './figures.js';
import type { Kind } from './points.js';

/** Figures of one bucket of one series, all or some of them; the key is null where requests have none. */
export interface BucketRow {
  bucket: number;
  key: string | null;
  figures: Figures;
}

/** The figures of one series by the beginnings of its buckets. */
interface Gathered {
  key: string;
  buckets: Map<number, Figures>;
  requests: number;
}

/** A bound on what one reply holds and one query gathers. */
export const MAX_POINTS = 100_000;
const WITHOUT = 'none';

const tooMany = () => invalidField('group_by', `makes more than ${MAX_POINTS} points: ask for a shorter span`);

/** The series of some rows, the largest first. */
function gathered(rows: readonly BucketRow[]): Gathered[] {
  const series = new Map<string, Gathered>();
  for (const { bucket, key: given, figures } of rows) {
    const key = given ?? WITHOUT;
    const one = series.get(key) ?? { key, buckets: new Map<number, Figures>(), requests: 0 };
    const known = one.buckets.get(bucket);
    one.buckets.set(bucket, known ? together([known, figures]) : figures);
    one.requests += figures.recorded;
    series.set(key, one);
  }
  return [...series.values()].sort((a, b) => b.requests - a.requests || (a.key < b.key ? -1 : 1));
}

/** Every bucket of every series in order, those in which nothing happened too. */
export function seriesOf<Point>(rows: readonly BucketRow[], buckets: readonly number[], { point }: Kind<Point>) {
  if (rows.length > MAX_POINTS) throw tooMany();
  const series = gathered(rows);
  if (series.length * buckets.length > MAX_POINTS) throw tooMany();
  return series.map(({ key, buckets: known }) => ({ key, points: pointsOf(known, buckets, point) }));
}

/** The points of one series. */
export function pointsOf<Point>(
  known: ReadonlyMap<number, Figures>,
  buckets: readonly number[],
  point: (figures: Figures) => Point,
): ({ timestamp: number } & Point)[] {
  const empty = point(NONE);
  return buckets.map((timestamp) => {
    const figures = known.get(timestamp);
    return { timestamp, ...(figures ? point(figures) : empty) };
  });
}

/** What an endpoint says of all rows together. */
export const totalOf = <Point>(rows: readonly BucketRow[], { point }: Kind<Point>): Point =>
  point(together(rows.map(({ figures }) => figures)));
