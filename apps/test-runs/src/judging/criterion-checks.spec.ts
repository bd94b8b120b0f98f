import { checkContains, checkExact, checkFields, patternOf } from './criterion-checks.js';

const order = { json: { id: 7, rows: [{ price: 10.4, at: 'x' }], name: 'Ada' } };

describe('EXACT', () => {
  it('needs every field, and no other', () => {
    expect(checkExact(order, order, {}).passed).toBe(true);
    expect(checkExact(order, { json: { ...order.json, more: 1 } }, {})).toEqual({
      passed: false,
      description: '4 of 5 fields match; more: extra',
    });
  });

  it('follows its options', () => {
    const other = { json: { id: 7, rows: [{ price: 10, at: 'X ' }], name: 'ADA' } };
    expect(checkExact(order, other, {}).passed).toBe(false);
    expect(checkExact(order, other, { numeric_tolerance: 0.5, case_sensitive: false }).passed).toBe(true);
    expect(checkExact(order, other, { numeric_tolerance: 0.5, case_sensitive: false, trim: false }).passed).toBe(false);
  });

  it('names the first differences', () => {
    const nothing = checkExact({ json: { a: 1, b: 2, c: 3, d: 4, e: 5 } }, { json: {} }, {});
    expect(nothing.description).toBe('0 of 5 fields match; a: missing, b: missing, c: missing and 2 more');
  });
});

describe('JSON_FIELDS', () => {
  it('accepts further fields, ignores paths and requires others', () => {
    const actual = { text: '{"id":8,"rows":[{"price":10.4,"at":"y"}],"name":"Ada","sum":3}' };
    const config = { ignore_paths: ['id', 'rows[*].at'] };
    expect(checkFields(order, actual, config).passed).toBe(true);
    expect(checkFields(order, actual, { ...config, required_paths: ['sum', 'rows[0].price'] }).passed).toBe(true);
    expect(checkFields(order, actual, { ...config, required_paths: ['total'] })).toMatchObject({
      passed: false,
      description: expect.stringContaining('the output lacks total'),
    });
    expect(checkFields(order, actual, {}).passed).toBe(false);
  });
});

describe('CONTAINS', () => {
  it.each([
    ['Bern', {}, true],
    ['bern', {}, false],
    ['bern', { case_sensitive: false }, true],
    [' Bern ', {}, true],
    [' Bern ', { trim: false }, false],
  ])('%j under %j: %p', (value, config, passed) => {
    expect(checkContains({ text: 'The capital is "Bern".' }, { ...config, value }).passed).toBe(passed);
  });

  it('is fast for long texts', () => {
    const before = process.cpuUsage();
    expect(checkContains({ text: 'a'.repeat(1_000_000) }, { value: `${'a'.repeat(9999)}b` }).passed).toBe(false);
    // Takes some ms; comparing at each position takes 10 s and more.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(3000);
  });
});

it('a pattern without case has the flag of RE2', () => {
  expect([patternOf({ pattern: 'a+' }), patternOf({ pattern: 'a+', case_sensitive: false })]).toEqual(['a+', '(?i)a+']);
});
