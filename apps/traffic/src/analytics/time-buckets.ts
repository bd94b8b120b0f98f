import { type Bucket, invalidField } from '@signalbox/contracts';

/** From `start` inclusive to `end` exclusive, epoch ms. */
export interface Span {
  start: number;
  end: number;
}

/** A part of a span and where its figures come from: rows of requests, or rollups of whole hours or days. */
export interface SpanPart extends Span {
  from: 'rows' | 'hour' | 'day';
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const MAX_BUCKETS = 1000;

/** Length of a bucket, and how far its beginnings lie before multiples of it: the epoch began on a Thursday. */
export const LENGTHS: Readonly<Record<Bucket, { ms: number; ahead: number }>> = {
  hour: { ms: HOUR, ahead: 0 },
  day: { ms: DAY, ahead: 0 },
  week: { ms: WEEK, ahead: 3 * DAY },
};

/** The span that is asked for: by default the seven days before now. */
export function spanOf(asked: { start_date?: number; end_date?: number }, now: number): Span {
  const { start_date: start = now - WEEK, end_date: end = now } = asked;
  if (start >= end) throw invalidField('start_date', 'must be before end_date');
  return { start, end };
}

/** The beginning of the bucket in which a time lies; UTC, weeks begin on Monday. */
export function bucketOf(bucket: Bucket, at: number): number {
  const { ms, ahead } = LENGTHS[bucket];
  return Math.floor((at + ahead) / ms) * ms - ahead;
}

/** The beginnings of all buckets that a span touches. */
export function bucketsOf({ start, end }: Span, bucket: Bucket): number[] {
  const { ms } = LENGTHS[bucket];
  const first = bucketOf(bucket, start);
  const count = Math.ceil((end - first) / ms);
  if (count > MAX_BUCKETS) throw invalidField('bucket', `is too short: the span has more than ${MAX_BUCKETS} of it`);
  return Array.from({ length: count }, (_, at) => first + at * ms);
}

/** The whole units inside of a span; an empty span at its end when there are none. */
function inner({ start, end }: Span, ms: number): Span {
  const whole = { start: Math.ceil(start / ms) * ms, end: Math.floor(end / ms) * ms };
  return whole.start < whole.end ? whole : { start: end, end };
}

/** The whole hours inside of a span. */
const wholeHours = (span: Span): Span => inner(span, HOUR);

const around = (from: SpanPart['from'], { start, end }: Span, inside: Span): SpanPart[] => [
  { from, start, end: inside.start },
  { from, start: inside.end, end },
];

/**
 * A span as few rows: whole units come from the rollups of that unit, what is left of whole hours from those of hours,
 * and the ragged ends from the requests themselves. The number of pieces is the same for every span.
 */
export function spanPartsOf(span: Span, largest: 'hour' | 'day'): SpanPart[] {
  const hours = wholeHours(span);
  const ragged = around('rows', span, hours);
  if (largest === 'hour') return [...ragged, { from: 'hour', ...hours }];
  const days = inner(hours, DAY);
  return [...ragged, ...around('hour', hours, days), { from: 'day', ...days }];
}
