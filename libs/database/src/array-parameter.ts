import { GrowingBytes } from './growing-bytes.js';

export type ArrayType = 'text' | 'json' | 'int' | 'bigint' | 'double precision' | 'boolean';

type Value = string | number | boolean | null | undefined;

const OIDS: Record<ArrayType, number> = {
  text: 25,
  json: 114,
  int: 23,
  bigint: 20,
  'double precision': 701,
  boolean: 16,
};
const WORD = 0x1_0000_0000;
const INT_MAX = 0x7fff_ffff;
const NONE = -1;

const within = (value: number, limit: number): number => Math.min(limit, Math.max(-limit, Math.trunc(value)));
const isNone = (value: Value): value is null | undefined =>
  value === null || value === undefined || Number.isNaN(value);

function write(to: GrowingBytes, type: ArrayType, value: string | number | boolean): void {
  switch (type) {
    case 'int':
      to.int32(4);
      return to.int32(within(Number(value), INT_MAX));
    case 'bigint': {
      const whole = within(Number(value), Number.MAX_SAFE_INTEGER);
      const high = Math.floor(whole / WORD);
      to.int32(8);
      to.int32(high);
      return to.int32((whole - high * WORD) | 0);
    }
    case 'double precision':
      to.int32(8);
      return to.double(Number(value));
    case 'boolean':
      to.int32(1);
      return to.int8(value ? 1 : 0);
    default:
      return to.sized(() => to.text(String(value)));
  }
}

/**
 * An array parameter in the binary format of Postgres, so that nothing is escaped here and parsed there. Integers
 * beyond the range of their type are clamped.
 */
export class ArrayParameter {
  constructor(
    private readonly type: ArrayType,
    private readonly values: readonly Value[],
  ) {}

  writeTo(to: GrowingBytes): void {
    const { type, values } = this;
    // One dimension, which may contain nulls; indexes begin at 1.
    to.int32(1);
    to.int32(1);
    to.int32(OIDS[type]);
    to.int32(values.length);
    to.int32(1);
    for (const value of values) {
      if (isNone(value)) to.int32(NONE);
      else write(to, type, value);
    }
  }

  toPostgres(): Buffer {
    const bytes = new GrowingBytes(Buffer.allocUnsafe(256));
    this.writeTo(bytes);
    return bytes.written;
  }
}

export const arrayParameter = (type: ArrayType, values: readonly Value[]): ArrayParameter =>
  new ArrayParameter(type, values);
