import { fieldDiff } from './field-diff.js';

const matches = (...compared: Parameters<typeof fieldDiff>): boolean => {
  const { matched_count, total_count } = fieldDiff(...compared);
  return matched_count === total_count;
};

describe('a comparison of fields', () => {
  it('counts all fields and keeps a thousand of them, those that differ first', () => {
    const diff = fieldDiff(Array(5000).fill(1), [...Array<number>(4999).fill(1), 2]);
    expect(diff).toMatchObject({ matched_count: 4999, total_count: 5000 });
    expect(diff.fields).toHaveLength(1000);
    expect(diff.fields[0]).toEqual({ path: '[4999]', status: 'mismatch', expected: 1, actual: 2 });
  });

  it('shows the beginning of long values', () => {
    const [field] = fieldDiff('x'.repeat(5000), { a: 'y'.repeat(5000) }).fields;
    expect([field?.expected, field?.actual].map((shown) => String(shown).length)).toEqual([2001, 2001]);
  });

  it('does not follow inherited properties', () => {
    expect(fieldDiff({ toString: 'x' }, {}).fields[0]?.status).toBe('missing');
  });

  it('finds empty objects and lists equal', () => {
    expect(matches({ a: {}, b: [] }, { a: {}, b: [] })).toBe(true);
    expect(matches({ a: {} }, { a: [] })).toBe(false);
  });
});

describe('a comparison of fields with options', () => {
  const expected = { id: 7, rows: [{ at: 1, price: 10 }], name: 'Ada' };
  const actual = { id: 8, rows: [{ at: 2, price: 10.4 }], name: 'ADA ', new: 1 };
  const all = { ignore: ['id', 'rows[*].at'], tolerance: 0.5, caseSensitive: false, extras: false };

  it.each([
    [true, all],
    [true, { ...all, ignore: ['id', 'rows[0].at'] }],
    [true, { ...all, ignore: ['id', 'rows'], tolerance: 0 }],
    [false, { ...all, ignore: ['rows'] }],
    [false, { ...all, tolerance: 0.3 }],
    [false, { ...all, caseSensitive: true }],
    [false, { ...all, trim: false }],
    [false, { ...all, extras: true }],
    [true, { ...all, extras: true, ignore: [...all.ignore, 'new'] }],
  ])('is equal (%p) under %j', (equal, options) => {
    expect(matches(expected, actual, options)).toBe(equal);
  });

  it.each([
    [0.3, 0.4, 0.1, true],
    [10, 10.4, 0.4, true],
    [-0.1, 0.2, 0.3, true],
    [1000, 1000.01, 0.01, true],
    [0.3, 0.401, 0.1, false],
    [1000, 1000.0101, 0.01, false],
    [0.3, 0.1 + 0.2, 0, false],
  ])('of %p and %p with a tolerance of %p is equal: %p', (one, other, tolerance, equal) => {
    expect([matches(one, other, { tolerance }), matches(other, one, { tolerance })]).toEqual([equal, equal]);
  });
});
