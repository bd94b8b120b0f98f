import { arrayParameter } from './array-parameter.js';

describe('an array parameter', () => {
  it('keeps values that its type has', () => {
    expect(arrayParameter('text', ['a', '', null])).toEqual(['a', '', null]);
    expect(arrayParameter('bigint', [1_760_000_000_123, -5])).toEqual([1_760_000_000_123, -5]);
    expect(arrayParameter('double precision', [0.1, -1e300])).toEqual([0.1, -1e300]);
    expect(arrayParameter('boolean', [true, false, undefined])).toEqual([true, false, undefined]);
  });

  it('clamps integers to their type and replaces NaN by null', () => {
    expect(arrayParameter('int', [1e12, -1e12, 2.9, NaN])).toEqual([0x7fff_ffff, -0x7fff_ffff, 2, null]);
    expect(arrayParameter('bigint', [1e300, -Infinity])).toEqual([Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER]);
    expect(arrayParameter('double precision', [NaN, undefined])).toEqual([null, undefined]);
  });
});
