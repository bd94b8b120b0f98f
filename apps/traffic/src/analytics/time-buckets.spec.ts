import { bucketOf, bucketsOf, spanPartsOf, spanOf } from './time-buckets.js';

const at = (text: string): number => Date.parse(text);
const iso = (time: number): string => new Date(time).toISOString();
const HOUR = 3_600_000;

describe('buckets', () => {
  it.each([
    ['hour', '2026-03-01T10:59:59.999Z', '2026-03-01T10:00:00.000Z'],
    ['hour', '2026-03-01T11:00:00.000Z', '2026-03-01T11:00:00.000Z'],
    ['day', '2026-03-01T23:59:59.999Z', '2026-03-01T00:00:00.000Z'],
    ['day', '2026-10-25T02:30:00.000Z', '2026-10-25T00:00:00.000Z'],
    ['week', '2026-03-01T23:59:59.999Z', '2026-02-23T00:00:00.000Z'],
    ['week', '2026-03-02T00:00:00.000Z', '2026-03-02T00:00:00.000Z'],
    ['week', '2024-12-31T12:00:00.000Z', '2024-12-30T00:00:00.000Z'],
    ['week', '2027-01-03T12:00:00.000Z', '2026-12-28T00:00:00.000Z'],
    ['week', '1970-01-05T00:00:00.000Z', '1970-01-05T00:00:00.000Z'],
  ] as const)('%s of %s begins at %s', (bucket, time, begins) => {
    expect(iso(bucketOf(bucket, at(time)))).toBe(begins);
  });

  it.each([
    ['day', '2026-03-01T23:59:59.999Z', '2026-03-02T00:00:00.001Z', ['2026-03-01', '2026-03-02']],
    ['day', '2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z', ['2026-03-01']],
    ['week', '2026-03-01T00:00:00.000Z', '2026-03-09T00:00:00.001Z', ['2026-02-23', '2026-03-02', '2026-03-09']],
    ['hour', '2026-03-01T00:00:00.001Z', '2026-03-01T00:00:00.002Z', ['2026-03-01']],
  ] as const)('of a %s from %s to %s are all that overlap the span', (bucket, start, end, days) => {
    const found = bucketsOf({ start: at(start), end: at(end) }, bucket).map((begins) => iso(begins).slice(0, 10));
    expect(found).toEqual(days);
  });

  it('are limited to a thousand', () => {
    expect(bucketsOf({ start: 0, end: 1000 * HOUR }, 'hour')).toHaveLength(1000);
    expect(() => bucketsOf({ start: 0, end: 1000 * HOUR + 1 }, 'hour')).toThrow(
      expect.objectContaining({ status: 400 }),
    );
    expect(() => bucketsOf({ start: 1, end: 1000 * HOUR + 1 }, 'hour')).toThrow(
      expect.objectContaining({ status: 400 }),
    );
    expect(bucketsOf({ start: 0, end: 1000 * HOUR + 1 }, 'day')).toHaveLength(42);
    expect(() => bucketsOf({ start: 0, end: Number.MAX_SAFE_INTEGER }, 'week')).toThrow(
      expect.objectContaining({ status: 400 }),
    );
  });
});

describe('a span', () => {
  const now = at('2026-03-10T12:34:56.789Z');

  it.each([
    ['nothing', {}, now - 7 * 24 * HOUR, now],
    ['a start', { start_date: 5 }, 5, now],
    ['an end', { end_date: now - HOUR }, now - 7 * 24 * HOUR, now - HOUR],
  ])('of which %s is given defaults to the last seven days', (_what, asked, start, end) => {
    expect(spanOf(asked, now)).toEqual({ start, end });
  });

  it.each([
    ['a start that is its end', { start_date: 5, end_date: 5 }],
    ['a start after its end', { start_date: 6, end_date: 5 }],
    ['a start in the future and no end', { start_date: now + 1 }],
    ['an end before the default start', { end_date: 5 }],
  ])('is refused with %s', (_what, asked) => {
    expect(() => spanOf(asked, now)).toThrow(expect.objectContaining({ status: 400 }));
  });

  it.each([
    ['2026-03-01T10:20:00.000Z', '2026-03-03T01:00:00.001Z'],
    ['2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z'],
    ['2026-03-01T10:20:00.000Z', '2026-03-01T10:40:00.000Z'],
    ['2026-03-01T10:20:00.000Z', '2026-03-01T11:40:00.000Z'],
    ['2026-03-01T00:00:00.000Z', '2026-03-08T00:00:00.001Z'],
  ])('from %s to %s is covered once, by aligned parts', (start, end) => {
    for (const largest of ['hour', 'day'] as const) {
      const pieces = spanPartsOf({ start: at(start), end: at(end) }, largest).filter(
        (piece) => piece.start < piece.end,
      );
      const inOrder = pieces.sort((one, other) => one.start - other.start);
      expect([inOrder[0]?.start, inOrder.at(-1)?.end]).toEqual([at(start), at(end)]);
      inOrder.slice(1).forEach((piece, before) => expect(piece.start).toBe(inOrder[before]?.end));
      for (const { from, ...piece } of inOrder.filter((piece) => piece.from !== 'rows')) {
        const ms = from === 'day' ? 24 * HOUR : HOUR;
        expect([piece.start % ms, piece.end % ms]).toEqual([0, 0]);
      }
      for (const piece of inOrder.filter(({ from }) => from === 'rows'))
        expect(piece.end - piece.start).toBeLessThan(2 * HOUR);
    }
  });
});
