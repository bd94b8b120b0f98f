import { type Bucket, invalidField } from '@signalbox/contracts';

/** From `start` inclusive to `end` exclusive, epoch ms. */
export interface Span {
  start: number;
  end: number;
}

export interface SpanPart extends Span {
  from: 'rows' | 'hour' | 'day';
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const MAX_BUCKETS = 1000;

/** Length of a bucket in ms, and the offset of its start before multiples of it: the epoch began on a Thursday. */
export const LENGTHS: Readonly<Record<Bucket, { ms: number; ahead: number }>> = {
  hour: { ms: HOUR, ahead: 0 },
  day: { ms: DAY, ahead: 0 },
  week: { ms: WEEK, ahead: 3 * DAY },
};

/** By default the seven days before now; 400 when it is empty. */
export function spanOf(asked: { start_date?: number; end_date?: number }, now: number): Span {
  const { start_date: start = now - WEEK, end_date: end = now } = asked;
  if (start >= end) throw invalidField('start_date', 'must be before end_date');
  return { start, end };
}

/** UTC; weeks begin on Monday. */
export function bucketOf(bucket: Bucket, at: number): number {
  const { ms, ahead } = LENGTHS[bucket];
  return Math.floor((at + ahead) / ms) * ms - ahead;
}

export function bucketsOf({ start, end }: Span, bucket: Bucket): number[] {
  const { ms } = LENGTHS[bucket];
  const first = bucketOf(bucket, start);
  const count = Math.ceil((end - first) / ms);
  if (count > MAX_BUCKETS) throw invalidField('bucket', `is too short: the span has more than ${MAX_BUCKETS} of it`);
  return Array.from({ length: count }, (_, at) => first + at * ms);
}

/** An empty span at its end when it contains no whole unit. */
function inner({ start, end }: Span, ms: number): Span {
  const whole = { start: Math.ceil(start / ms) * ms, end: Math.floor(end / ms) * ms };
  return whole.start < whole.end ? whole : { start: end, end };
}

const wholeHours = (span: Span): Span => inner(span, HOUR);

const around = (from: SpanPart['from'], { start, end }: Span, inside: Span): SpanPart[] => [
  { from, start, end: inside.start },
  { from, start: inside.end, end },
];

/**
 * Splits a span so that few rows are read: whole units come from the rollups of that unit, remaining whole hours from
 * those of hours, and partial hours from the requests. The number of parts is the same for every span.
 */
export function spanPartsOf(span: Span, largest: 'hour' | 'day'): SpanPart[] {
  const hours = wholeHours(span);
  const partialHours = around('rows', span, hours);
  if (largest === 'hour') return [...partialHours, { from: 'hour', ...hours }];
  const days = inner(hours, DAY);
  return [...partialHours, ...around('hour', hours, days), { from: 'day', ...days }];
}
