/** The element types of array parameters. */
export type ArrayType = 'text' | 'json' | 'int' | 'bigint' | 'double precision' | 'boolean';

type Value = string | number | boolean | null | undefined;

const INT_MAX = 0x7fff_ffff;
const LIMITS: Partial<Record<ArrayType, number>> = { int: INT_MAX, bigint: Number.MAX_SAFE_INTEGER };

/**
 * An array parameter of a column's type. One number that Postgres refuses would fail the statement for all rows, so
 * integers are truncated and clamped to their type, and NaN is null.
 */
export function arrayParameter(type: ArrayType, values: readonly Value[]): Value[] {
  const limit = LIMITS[type];
  return values.map((value) => {
    if (typeof value !== 'number') return value;
    if (Number.isNaN(value)) return null;
    return limit === undefined ? value : Math.min(limit, Math.max(-limit, Math.trunc(value)));
  });
}
