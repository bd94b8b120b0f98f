import { sameJson } from '@signalbox/contracts';

type Fields = Record<string, unknown>;

/** Larger values are repeated in each event, so that the common part of a message stays small. */
const MAX_VALUE_CHARS = 256;
/** Bytes of all common fields; further ones are repeated. */
export const MAX_SHARED_BYTES = 16_384;

const sizeOf = (value: unknown): number =>
  typeof value === 'string' || (typeof value === 'object' && value !== null) ? JSON.stringify(value).length : 8;

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (isObject(one) && isObject(other) && sameJson(one, other));

export function sharedFields(records: readonly Fields[]): Fields {
  const [first, ...others] = records;
  const shared: Fields = {};
  let bytes = 0;
  for (const [name, value] of Object.entries(first ?? {})) {
    if (!others.every((record) => name in record && isSame(record[name], value))) continue;
    const chars = sizeOf(value);
    // A UTF-16 unit has at most three bytes in UTF-8.
    if (chars > MAX_VALUE_CHARS || bytes + 3 * (chars + name.length + 4) > MAX_SHARED_BYTES) continue;
    bytes += 3 * (chars + name.length + 4);
    shared[name] = value;
  }
  return shared;
}

export const ownFields = (record: Fields, shared: Fields): Fields => {
  const own: Fields = {};
  for (const name in record) if (!(name in shared)) own[name] = record[name];
  return own;
};
