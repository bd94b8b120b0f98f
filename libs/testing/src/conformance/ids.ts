import { randomUUID } from 'node:crypto';
import { type Endpoint, pathParameters } from '@signalbox/contracts';

/** The path of an id in an input. */
export type IdPath = readonly (string | number)[];

const NAMED_ID = /(^|_)ids?$/;
/** The greatest possible id; no sequence reaches it. */
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
 * Fields whose text a client chooses freely: an unknown value is a new one, and their content names no resource. A bulk
 * import lists each of its `sources` that does not exist in its reply.
 */
const FREE =
  /^(meta|metadata|arguments|session_id|tool_call_id|resource_id|sources|key_id|last_event_id|actor_key_id)$/;

/** Every path of a valid input, at any depth, that names a resource by id. */
export function idPaths(endpoint: Endpoint, input: Record<string, unknown>): IdPath[] {
  const inPath = new Set(pathParameters(endpoint.path));
  return Object.entries(input).flatMap(([name, value]) => {
    if (inPath.has(name)) return NAMED_ID.test(name) ? [[name]] : [];
    return FREE.test(name) ? [] : named(name, value, [name]);
  });
}

/** The value at a path. */
export function valueAt(input: unknown, path: IdPath): unknown {
  return path.reduce<unknown>((value, step) => (value as Record<string | number, unknown> | undefined)?.[step], input);
}

/** A copy of an input with another value at a path. */
export function withValueAt<T extends object>(input: T, path: IdPath, value: unknown): T {
  const copy = structuredClone(input);
  const holder = valueAt(copy, path.slice(0, -1)) as Record<string | number, unknown>;
  holder[path.at(-1) ?? ''] = value;
  return copy;
}

/** A value of the same kind that names nothing. */
export function unknownLike(value: unknown): unknown {
  if (typeof value === 'number') return NO_ID;
  return /^\d+$/.test(String(value))
    ? String(NO_ID)
    : /^[0-9a-f-]{36}$/.test(String(value))
      ? randomUUID()
      : `none-${randomUUID()}`;
}
