import { type ArrayType, arrayParameter as parameter } from './array-parameter.js';

const arrayParameter = (type: ArrayType, values: (string | number | boolean | null | undefined)[]) =>
  parameter(type, values).toPostgres();

const wordsOf = (bytes: Buffer) => Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readInt32BE(at * 4));

describe('an array in the format of Postgres', () => {
  it('prefixes each element with its length', () => {
    expect(wordsOf(arrayParameter('int', [7, null, -1]))).toEqual([1, 1, 23, 3, 1, 4, 7, -1, 4, -1]);
    expect(arrayParameter('text', ['é', '']).subarray(20).toString('hex')).toBe('00000002c3a900000000');
    expect(arrayParameter('json', ['{}']).subarray(24).toString()).toBe('{}');
  });

  it('writes numbers in eight bytes and booleans in one', () => {
    const wide = arrayParameter('bigint', [1_760_000_000_123, -5]);
    expect([wide.readBigInt64BE(24), wide.readBigInt64BE(36)]).toEqual([1_760_000_000_123n, -5n]);
    expect(arrayParameter('double precision', [0.1]).readDoubleBE(24)).toBe(0.1);
    expect([...arrayParameter('boolean', [true, false]).subarray(20)]).toEqual([0, 0, 0, 1, 1, 0, 0, 0, 1, 0]);
  });

  it('clamps numbers to their type and writes missing values as null', () => {
    expect(arrayParameter('int', [1e12, 2.9]).readInt32BE(24)).toBe(0x7fff_ffff);
    expect(arrayParameter('int', [2.9]).readInt32BE(24)).toBe(2);
    expect(wordsOf(arrayParameter('int', [undefined, NaN])).slice(5)).toEqual([-1, -1]);
    expect(arrayParameter('text', []).readInt32BE(12)).toBe(0);
  });
});
