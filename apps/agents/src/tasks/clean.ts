import type { SecretBag } from '@signalbox/egress';

/** A text without characters that Postgres refuses. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/**
 * A JSON value as it may be stored and shown: without characters Postgres refuses, and without the secrets of its task,
 * in whatever spelling they come back.
 */
export function clean<T>(value: T, secrets?: SecretBag): T {
  const text = (given: string): string => storable(secrets ? secrets.scrub(given) : given);
  return walk(value, text, secrets !== undefined) as T;
}

function walk(value: unknown, text: (given: string) => string, secret: boolean): unknown {
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number' && secret) {
    const shown = text(String(value));
    return shown === String(value) ? value : shown;
  }
  if (Array.isArray(value)) return value.map((item) => walk(item, text, secret));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [text(key), walk(child, text, secret)]));
}
