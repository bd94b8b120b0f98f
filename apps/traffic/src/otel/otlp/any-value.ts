import { storableText } from '../../request-records/index.js';
import type { Attributes, AttributeValue } from './span.js';

const MAX_DEPTH = 32;

/** The span or log record is not stored; the rest of its export is. */
export class Rejected extends Error {}

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export function fieldOf(message: unknown, name: string): unknown {
  if (!isObject(message)) return undefined;
  return message[name] ?? message[snakeCase(name)];
}

export function listOf(message: unknown, name: string): unknown[] {
  const list = fieldOf(message, name) ?? [];
  if (!Array.isArray(list)) throw new Rejected(`${name} is not a list`);
  return list as unknown[];
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? storableText(value) : '');

/** Protobuf decodes it as a bigint, JSON as text; text where a number would lose digits. */
function wholeOf(value: unknown): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : storableText(String(value).slice(0, 100));
}

/** Infinity and NaN have no JSON, so they become text. */
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

function caseOf(value: unknown): [string, unknown] | null {
  const union = fieldOf(value, 'value');
  if (isObject(union) && typeof union.case === 'string') return [union.case, union.value];
  for (const name of Object.keys(READERS)) {
    const given = fieldOf(value, name);
    if (given !== undefined) return [name, given];
  }
  return null;
}

function valueOf(value: unknown, left: number): AttributeValue {
  if (left < 0) throw new Rejected(`values are nested more than ${MAX_DEPTH} deep`);
  const known = caseOf(value);
  return known ? (READERS[known[0]]?.(known[1], left) ?? null) : null;
}

/** Of a repeated key, the last value counts. */
export function attributesOf(message: unknown, name = 'attributes', left = MAX_DEPTH): Attributes {
  return Object.fromEntries(
    listOf(message, name).map((each) => [textOf(fieldOf(each, 'key')), valueOf(fieldOf(each, 'value'), left)]),
  );
}
