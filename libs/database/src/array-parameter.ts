/** The types of arrays that go to Postgres in its own format. */
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
const WIDTHS: Partial<Record<ArrayType, number>> = { int: 4, bigint: 8, 'double precision': 8, boolean: 1 };
const HEADER = 20;
const LENGTH = 4;
const WORD = 0x1_0000_0000;
const INT_MAX = 0x7fff_ffff;

const within = (value: number, limit: number): number => Math.min(limit, Math.max(-limit, Math.trunc(value)));
const isNone = (value: Value): value is null | undefined =>
  value === null || value === undefined || Number.isNaN(value);

function sizeOf(type: ArrayType, values: readonly Value[]): number {
  const width = WIDTHS[type];
  let size = HEADER + values.length * LENGTH;
  for (const value of values) if (!isNone(value)) size += width ?? Buffer.byteLength(String(value));
  return size;
}

function write(bytes: Buffer, at: number, type: ArrayType, value: string | number | boolean): number {
  switch (type) {
    case 'int':
      return bytes.writeInt32BE(within(Number(value), INT_MAX), at);
    case 'bigint': {
      const whole = within(Number(value), Number.MAX_SAFE_INTEGER);
      const high = Math.floor(whole / WORD);
      bytes.writeInt32BE(high, at);
      return bytes.writeUInt32BE(whole - high * WORD, at + 4);
    }
    case 'double precision':
      return bytes.writeDoubleBE(Number(value), at);
    case 'boolean':
      return bytes.writeUInt8(value ? 1 : 0, at);
    default:
      return at + bytes.write(String(value), at);
  }
}

/**
 * An array as the value of a statement, in the binary format of Postgres: nothing is escaped here and parsed there.
 * Whole numbers beyond their type end at its limits.
 */
export function arrayParameter(type: ArrayType, values: readonly Value[]): Buffer {
  const bytes = Buffer.allocUnsafe(sizeOf(type, values));
  // One dimension that may hold nulls; its elements begin at 1.
  for (const [at, word] of [1, 1, OIDS[type], values.length, 1].entries()) bytes.writeInt32BE(word, at * LENGTH);
  let at = HEADER;
  for (const value of values) {
    const begins = at + LENGTH;
    const ends = isNone(value) ? begins : write(bytes, begins, type, value);
    bytes.writeInt32BE(isNone(value) ? -1 : ends - begins, at);
    at = ends;
  }
  return bytes;
}
