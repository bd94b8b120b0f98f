import { randomUUID } from 'node:crypto';
import { type Endpoint, pathParameters } from '@signalbox/contracts';

export type IdPath = readonly (string | number)[];

const NAMED_ID = /(^|_)ids?$/;
/** The greatest possible id, which no sequence reaches. */
const NO_ID = 2_147_483_647;

const isIdValue = (value: unknown): boolean =>
  (Number.isInteger(value) && (value as number) > 0) ||
  (typeof value === 'string' && /^([0-9a-f-]{36}|\d+)$/.test(value));

function within(value: unknown, path: IdPath): IdPath[] {
  if (Array.isArray(value)) return value.flatMap((item, at) => within(item, [...path, at]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, child]) => named(name, child, [...path, name]));
}

function named(name: string, value: unknown, path: IdPath): IdPath[] {
  if (!NAMED_ID.test(name)) return within(value, path);
  if (isIdValue(value)) return [path];
  return Array.isArray(value) ? value.flatMap((item, at) => (isIdValue(item) ? [[...path, at]] : [])) : [];
}

/**
 * Texts that clients choose freely: an unknown value is a new one. A bulk import lists each of its missing `sources` in
 * its reply.
 */
const FREE =
  /^(meta|metadata|arguments|session_id|tool_call_id|resource_id|sources|key_id|last_event_id|actor_key_id)$/;

/** All paths, at any depth, that name a resource by id. */
export function idPaths(endpoint: Endpoint, input: Record<string, unknown>): IdPath[] {
  const inPath = new Set(pathParameters(endpoint.path));
  return Object.entries(input).flatMap(([name, value]) => {
    if (inPath.has(name)) return NAMED_ID.test(name) ? [[name]] : [];
    return FREE.test(name) ? [] : named(name, value, [name]);
  });
}

export function valueAt(input: unknown, path: IdPath): unknown {
  return path.reduce<unknown>((value, step) => (value as Record<string | number, unknown> | undefined)?.[step], input);
}

export function withValueAt<T extends object>(input: T, path: IdPath, value: unknown): T {
  const copy = structuredClone(input);
  const holder = valueAt(copy, path.slice(0, -1)) as Record<string | number, unknown>;
  holder[path.at(-1) ?? ''] = value;
  return copy;
}

export function unknownLike(value: unknown): unknown {
  if (typeof value === 'number') return NO_ID;
  return /^\d+$/.test(String(value))
    ? String(NO_ID)
    : /^[0-9a-f-]{36}$/.test(String(value))
      ? randomUUID()
      : `none-${randomUUID()}`;
}
