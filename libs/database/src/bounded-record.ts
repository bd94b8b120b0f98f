import { sameJson } from '@signalbox/contracts';

/** Upper bound of the JSON bytes of an outbox message. */
export const MAX_MESSAGE_BYTES = 262_144;
/** Bytes of JSON up to which a field keeps its value in a message. */
export const MAX_FIELD_BYTES = 32_768;
const MAX_NESTED_CHARS = 256;

type Fields = Record<string, unknown>;

export const omittedMark = (bytes: number): string => `[omitted: ${bytes} bytes]`;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

function withoutLongTexts(value: unknown): unknown {
  if (typeof value === 'string') return value.length > MAX_NESTED_CHARS ? omittedMark(Buffer.byteLength(value)) : value;
  if (Array.isArray(value)) return value.map(withoutLongTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutLongTexts(each)]));
}

function boundedField(value: unknown, maxBytes: number): unknown {
  const bytes = bytesOf(value);
  if (bytes <= maxBytes) return value;
  if (typeof value === 'object' && value !== null) {
    const shorter = withoutLongTexts(value);
    if (bytesOf(shorter) <= maxBytes) return shorter;
  }
  return omittedMark(bytes);
}

/**
 * Returns the record within `maxBytes` of JSON. Large fields lose their long texts, then their whole value; when the
 * rest is still too large, whole values are removed, the largest first.
 */
export function boundedRecord<T extends object>(record: T, maxBytes: number): T {
  if (bytesOf(record) <= Math.min(maxBytes, MAX_FIELD_BYTES)) return record;
  const bounded = Object.entries(record).map(([name, value]) => [name, boundedField(value, MAX_FIELD_BYTES)] as const);
  const fields: Fields = Object.fromEntries(bounded);
  let total = bytesOf(fields);
  const bySize = bounded.map(([name, value]) => ({ name, bytes: bytesOf(value) })).sort((a, b) => b.bytes - a.bytes);
  for (const { name, bytes } of bySize) {
    if (total <= maxBytes) break;
    const mark = omittedMark(bytes);
    if (bytes <= mark.length) break;
    fields[name] = mark;
    total -= bytes - mark.length - 2;
  }
  if (total > maxBytes) return { omitted: omittedMark(bytesOf(record)) } as unknown as T;
  return fields as T;
}

export function changedFields(before: Fields, after: Fields): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !sameJson(before[name], after[name]));
}

export const picked = (record: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.filter((name) => name in record).map((name) => [name, record[name]]));
