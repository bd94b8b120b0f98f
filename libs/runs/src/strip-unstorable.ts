import type { SecretBag } from '@signalbox/egress';

/** A text without characters that Postgres refuses. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/**
 * A JSON value as it may be stored and shown: without characters Postgres refuses, and without the secrets of its run,
 * in whatever spelling they come back.
 */
export function stripUnstorable<T>(value: T, secrets?: SecretBag): T {
  return stored(secrets ? secrets.scrubValue(value) : value) as T;
}

function stored(value: unknown): unknown {
  if (typeof value === 'string') return storable(value);
  if (Array.isArray(value)) return value.map(stored);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [storable(key), stored(child)]));
}
