import {
  type ActivityBucket,
  type ActivityPoint,
  invalidField,
  type OutcomeCounts,
  type RunMetrics,
} from '@signalbox/contracts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const BUCKET_MS: Readonly<Record<ActivityBucket, number>> = { hour: HOUR_MS, day: DAY_MS };
const SPAN_MS = 7 * DAY_MS;
const MAX_BUCKETS = 1000;

/** In UTC, epoch milliseconds. */
export interface Span {
  start: number;
  end: number;
  bucketMs: number;
}

/** The last seven days by default; throws 400 for more than a thousand buckets. */
export function spanOf(query: { start_date?: number; end_date?: number; bucket: ActivityBucket }, now: number): Span {
  const end = query.end_date ?? Math.max(now, query.start_date ?? 0) + 1;
  const start = query.start_date ?? Math.max(0, end - SPAN_MS);
  const bucketMs = BUCKET_MS[query.bucket];
  if (start >= end) throw invalidField('start_date', 'must be before end_date');
  if (bucketsOf({ start, end, bucketMs }) > MAX_BUCKETS)
    throw invalidField('bucket', `gives more than ${MAX_BUCKETS} points in this range`);
  return { start, end, bucketMs };
}

/** From a time on. It ends after the present hour, whose count is complete, so that none of its runs is read. */
export const spanSince = (start: number, now: number): Span => ({ start, end: now + DAY_MS, bucketMs: DAY_MS });

const firstOf = ({ start, bucketMs }: Span): number => Math.floor(start / bucketMs) * bucketMs;
const bucketsOf = (span: Span): number => Math.ceil((span.end - firstOf(span)) / span.bucketMs);

/** A range in the parts that are counted, each from its begin to that of the next: single runs around hours around days. */
export interface CountedParts {
  start: number;
  hours: number;
  days: number;
  hoursAfterDays: number;
  runsAfterHours: number;
  end: number;
}

/** The whole units of a range; without one, an empty range at its end. */
function wholeUnits(start: number, end: number, unitMs: number): readonly [number, number] {
  const first = Math.ceil(start / unitMs) * unitMs;
  const last = Math.floor(end / unitMs) * unitMs;
  return first < last ? [first, last] : [end, end];
}

/** What of a range is in counts of whole hours, and in those of whole days if its buckets are days. */
export function partsOf({ start, end, bucketMs }: Span): CountedParts {
  const [hours, runsAfterHours] = wholeUnits(start, end, HOUR_MS);
  const [days, hoursAfterDays] =
    bucketMs === DAY_MS ? wholeUnits(hours, runsAfterHours, DAY_MS) : [runsAfterHours, runsAfterHours];
  return { start, hours, days, hoursAfterDays, runsAfterHours, end };
}

const NONE: OutcomeCounts = { pass: 0, warning: 0, fault: 0, error: 0, total: 0 };

/** Fills gaps with empty points. */
export function pointsOf(span: Span, given: readonly ActivityPoint[]): ActivityPoint[] {
  const known = new Map(given.map((point) => [point.timestamp, point]));
  return Array.from({ length: bucketsOf(span) }, (_, at) => {
    const timestamp = firstOf(span) + at * span.bucketMs;
    return known.get(timestamp) ?? { timestamp, ...NONE };
  });
}

export const sumOf = (points: readonly OutcomeCounts[]): OutcomeCounts =>
  points.reduce<OutcomeCounts>(
    (sum, { pass, warning, fault, error, total }) => ({
      pass: sum.pass + pass,
      warning: sum.warning + warning,
      fault: sum.fault + fault,
      error: sum.error + error,
      total: sum.total + total,
    }),
    NONE,
  );

export interface MeasuredRuns extends OutcomeCounts {
  duration_ms: number | null;
  cost: number | null;
  last_run_at: number | null;
}

/** Rates are of judged runs, so without ERROR; null without a judged run. */
export function metricsOf({
  pass,
  warning,
  fault,
  error,
  total,
  duration_ms,
  cost,
  last_run_at,
}: MeasuredRuns): RunMetrics {
  const judged = pass + warning + fault;
  const rate = (count: number): number | null => (judged === 0 ? null : count / judged);
  return {
    total,
    pass_count: pass,
    warning_count: warning,
    fault_count: fault,
    error_count: error,
    fault_rate: rate(fault),
    warning_rate: rate(warning),
    avg_runner_duration_ms: total === 0 || duration_ms === null ? null : duration_ms / total,
    cost,
    last_run_at,
  };
}
