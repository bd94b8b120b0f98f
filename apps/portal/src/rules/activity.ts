import type { ActivityPoint, AlertRule, OutcomeCounts } from '@signalbox/sdk';
import { duration, percent } from './formats.js';

const STEP_MS = { hour: 3_600_000, day: 86_400_000 } as const;

export type Bucket = OutcomeCounts & { timestamp: number };

const EMPTY: OutcomeCounts = { pass: 0, warning: 0, fault: 0, error: 0, total: 0 };

export function bucketsOf(
  points: readonly ActivityPoint[],
  bucket: 'hour' | 'day',
  from: number,
  to: number,
): Bucket[] {
  const step = STEP_MS[bucket];
  const known = new Map(points.map((point) => [Math.floor(point.timestamp / step), point]));
  const buckets: Bucket[] = [];
  for (let n = Math.floor(from / step); n <= Math.floor(to / step); n++)
    buckets.push({ ...EMPTY, ...known.get(n), timestamp: n * step });
  return buckets;
}

/** The beginning of the first of so many days (UTC), the last of which is today: a count opens all rows of its day. */
export const firstDay = (now: number, days: number): number => (Math.floor(now / STEP_MS.day) - days + 1) * STEP_MS.day;

export const sumOf = (buckets: readonly OutcomeCounts[]): OutcomeCounts =>
  buckets.reduce(
    (sum, { pass, warning, fault, error, total }) => ({
      pass: sum.pass + pass,
      warning: sum.warning + warning,
      fault: sum.fault + fault,
      error: sum.error + error,
      total: sum.total + total,
    }),
    EMPTY,
  );

/** Errors are not verdicts, so they do not count. */
export function faultRate({ fault, total, error }: OutcomeCounts): number | null {
  const judged = total - error;
  return judged === 0 ? null : fault / judged;
}

export function activityWords(counts: OutcomeCounts): string {
  const { total, error, warning } = counts;
  if (total === 0) return 'Nothing was judged.';
  const parts = [`${percent(faultRate(counts))} faults of ${(total - error).toLocaleString('en-US')} judged`];
  if (warning > 0) parts.push(`${warning.toLocaleString('en-US')} warnings`);
  if (error > 0) parts.push(`${error.toLocaleString('en-US')} could not be judged`);
  return `${parts.join(', ')}.`;
}

export function ruleWords({ metric, threshold, window_ms, min_runs }: AlertRule): string {
  if (metric === 'consecutive_faults') return `${threshold} faults in a row`;
  const what = metric === 'fault_rate' ? 'faults' : 'errors';
  const within = window_ms === undefined ? '' : ` within ${duration(window_ms)}`;
  return `at least ${percent(threshold)} ${what}${within}${min_runs === undefined ? '' : `, of at least ${min_runs}`}`;
}

export const alertValue = (metric: AlertRule['metric'], value: number): string =>
  metric === 'consecutive_faults' ? `${value} in a row` : percent(value);
