import { ago, bytes, count, duration, money, oneLine, percent, utcDay } from './formats.js';

describe('formats', () => {
  it.each<[number | null, string]>([
    [null, '–'],
    [0, '0 ms'],
    [999, '999 ms'],
    [1234, '1.23 s'],
    [61_000, '1 min 1 s'],
    [3_660_000, '1 h 1 min'],
    [999.7, '1.00 s'],
    [9996, '10.0 s'],
    [59_970, '1 min 0 s'],
    [119_700, '2 min 0 s'],
    [3_599_800, '1 h 0 min'],
  ])('%p ms is %s', (ms, text) => expect(duration(ms)).toBe(text));

  it('money has four digits below a cent', () => {
    expect([null, 0, 0.00000054, 0.000123, 0.005, 0.009999, 0.5, 12].map((dollars) => money(dollars))).toEqual([
      '–',
      '$0',
      '$0.00000054',
      '$0.00012',
      '$0.005',
      '$0.01',
      '$0.50',
      '$12.00',
    ]);
  });

  it.each([
    [0.005, ['$0', '$0.005', '$0.010', '$0.015']],
    [0.25, ['$0', '$0.25', '$0.50', '$0.75']],
    [0.0000025, ['$0', '$0.0000025', '$0.0000050', '$0.0000075']],
    [50, ['$0', '$50.00', '$100.00', '$150.00']],
  ])('no two labels of an axis in steps of $%p are the same', (step, labels) => {
    expect([0, 1, 2, 3].map((n) => money(n * step, step))).toEqual(labels);
  });

  it('counts, shares and times', () => {
    expect(count(1234567)).toBe('1,234,567');
    expect(percent(0.9876)).toBe('98.8 %');
    expect([0, 1023, 1536, 5_242_880].map(bytes)).toEqual(['0 B', '1023 B', '1.5 kB', '5.0 MB']);
    expect(ago(1000, 61_000)).toBe('1 min ago');
    expect(ago(90_000, 61_000)).toBe('0 s ago');
  });

  it('a day of the API is the same one in every time zone', () => {
    expect(utcDay(Date.UTC(2026, 4, 6))).toBe('2026-05-06');
  });

  it('a line is folded and cut', () => {
    expect(oneLine(' a\n b ')).toBe('a b');
    expect(oneLine('x'.repeat(200))).toHaveLength(120);
  });
});
