import type { SecretBag } from '@signalbox/egress';

/** Strips NUL and lone surrogates, which Postgres rejects. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

export function stripUnstorable<T>(value: T, secrets?: SecretBag): T {
  return stored(secrets ? secrets.scrubValue(value) : value) as T;
}

function stored(value: unknown): unknown {
  if (typeof value === 'string') return storable(value);
  if (Array.isArray(value)) return value.map(stored);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [storable(key), stored(child)]));
}

const markOf = (bytes: number): string => ` [cut: ${bytes} bytes]`;

/** Cuts a text to `max` UTF-16 units, including a mark with the number of missing bytes; splits no surrogate pair. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const room = max - markOf(Buffer.byteLength(text)).length;
  const beginning = text.slice(0, room).replace(/[\uD800-\uDBFF]$/, '');
  return beginning + markOf(Buffer.byteLength(text.slice(beginning.length)));
}
