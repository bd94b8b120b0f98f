import { storableText } from '../../request-records/index.js';
import type { Attributes, AttributeValue } from './span.js';

/** How deep values of attributes may be nested. */
const MAX_DEPTH = 32;

/** A span or a log record that is not stored; the rest of its export is. */
export class Rejected extends Error {}

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A field of a message; in JSON its name may be in snake case. */
export function fieldOf(message: unknown, name: string): unknown {
  if (!isObject(message)) return undefined;
  return message[name] ?? message[snakeCase(name)];
}

/** The elements of a list. */
export function listOf(message: unknown, name: string): unknown[] {
  const list = fieldOf(message, name) ?? [];
  if (!Array.isArray(list)) throw new Rejected(`${name} is not a list`);
  return list as unknown[];
}

/** Text that can be stored. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? storableText(value) : '');

/** A whole number, which protobuf has as a bigint and JSON as a text; as text where a number would lose digits. */
function wholeOf(value: unknown): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : storableText(String(value).slice(0, 100));
}

/** A number; infinite ones and NaN are no JSON. */
function numberOf(value: unknown): AttributeValue {
  const number = Number(value);
  return Number.isFinite(number) ? number : String(number);
}

const bytesOf = (value: unknown): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('base64') : textOf(value);

const READERS: Readonly<Record<string, (value: unknown, left: number) => AttributeValue>> = {
  stringValue: textOf,
  boolValue: (value) => value === true || value === 'true',
  intValue: wholeOf,
  doubleValue: numberOf,
  bytesValue: bytesOf,
  arrayValue: (value, left) => listOf(value, 'values').map((each) => valueOf(each, left - 1)),
  kvlistValue: (value, left) => attributesOf(value, 'values', left - 1),
};

/** The case of a value and what it has: `{case, value}` in protobuf, a field of the name of the case in JSON. */
function caseOf(value: unknown): [string, unknown] | null {
  const union = fieldOf(value, 'value');
  if (isObject(union) && typeof union.case === 'string') return [union.case, union.value];
  for (const name of Object.keys(READERS)) {
    const given = fieldOf(value, name);
    if (given !== undefined) return [name, given];
  }
  return null;
}

/** A value as JSON; throws `Rejected` when it is nested too deeply. */
function valueOf(value: unknown, left: number): AttributeValue {
  if (left < 0) throw new Rejected(`values are nested more than ${MAX_DEPTH} deep`);
  const known = caseOf(value);
  return known ? (READERS[known[0]]?.(known[1], left) ?? null) : null;
}

/** The attributes in a list of keys and values; of a repeated key the last value counts. */
export function attributesOf(message: unknown, name = 'attributes', left = MAX_DEPTH): Attributes {
  return Object.fromEntries(
    listOf(message, name).map((each) => [textOf(fieldOf(each, 'key')), valueOf(fieldOf(each, 'value'), left)]),
  );
}
