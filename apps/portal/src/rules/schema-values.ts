import { isJsonObject } from './json-object.js';
import type { SchemaField } from './schema-fields.js';

/** By path: a text, the state of a checkbox, or the choices. */
export type Entered = Record<string, string | boolean | string[]>;

export interface FormValue {
  /** Undefined when nothing was entered and nothing is required. */
  value: unknown;
  errors: Record<string, string>;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
export function enteredOf(field: SchemaField, value: unknown = field.schema.default): Entered {
  if (field.kind === 'group') {
    const fields = isJsonObject(value) ? value : {};
    return Object.assign(
      {},
      ...field.fields.map((each) => enteredOf(each, fields[each.path.split('.').pop() ?? ''])),
    ) as Entered;
  }
  if (value === undefined || (value === null && field.kind !== 'choice')) return {};
  return { [field.path]: shown(field, value) };
}

function shown({ kind }: SchemaField, value: unknown): string | boolean | string[] {
  const values = Array.isArray(value) ? value : [value];
  if (kind === 'boolean') return value === true;
  if (kind === 'choices') return values.map((each) => JSON.stringify(each));
  if (kind === 'list') return values.map(text).join('\n');
  if (kind === 'choice') return JSON.stringify(value);
  return kind === 'json' ? JSON.stringify(value, null, 2) : text(value);
}

export function valueOf(field: SchemaField, entered: Entered): FormValue {
  const errors: Record<string, string> = {};
  const value = read(field, entered, errors, field.required);
  return { value, errors };
}

function read(field: SchemaField, entered: Entered, errors: Record<string, string>, needed: boolean): unknown {
  if (field.kind === 'group') return group(field, entered, errors, needed);
  const given = entered[field.path];
  const isEmpty = given === undefined || given === '' || (Array.isArray(given) && given.length === 0);
  try {
    if (!isEmpty) return one(field, given);
  } catch (error) {
    errors[field.path] = error instanceof Error ? error.message : String(error);
    return undefined;
  }
  if (!needed) return undefined;
  if (field.kind === 'boolean') return false;
  if (field.kind === 'list' || field.kind === 'choices') return empty(field, errors);
  errors[field.path] = 'is needed';
  return undefined;
}

/** A required list may be empty, unless its schema wants items. */
function empty({ path, schema: { minItems } }: SchemaField, errors: Record<string, string>): unknown[] {
  if (typeof minItems === 'number' && minItems > 0) errors[path] = atLeast(minItems, 'item');
  return [];
}

/** An empty optional group is left out, with its required fields. */
function group(field: SchemaField, entered: Entered, errors: Record<string, string>, needed: boolean): unknown {
  const isUsed = needed || field.fields.some((each) => hasEntry(each, entered));
  if (!isUsed) return undefined;
  const values = field.fields.map((each) => [each.path.split('.').pop(), read(each, entered, errors, each.required)]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as unknown;
}

function hasEntry(field: SchemaField, entered: Entered): boolean {
  if (field.kind === 'group') return field.fields.some((each) => hasEntry(each, entered));
  const given = entered[field.path];
  return given !== undefined && given !== '' && given !== false && !(Array.isArray(given) && given.length === 0);
}

function one({ kind, schema }: SchemaField, given: string | boolean | string[]): unknown {
  if (kind === 'boolean') return given === true;
  if (kind === 'choices') return (given as string[]).map((each) => JSON.parse(each) as unknown);
  const entry = String(given);
  if (kind === 'choice') return JSON.parse(entry) as unknown;
  if (kind === 'list') return list(schema, entry);
  return kind === 'json' ? json(entry) : simple(schema, entry);
}

function json(entry: string): unknown {
  try {
    return JSON.parse(entry) as unknown;
  } catch (error) {
    throw new Error(`is not JSON: ${error instanceof Error ? error.message : ''}`);
  }
}

function list({ items, minItems, maxItems }: Record<string, unknown>, entry: string): unknown[] {
  const lines = entry.split('\n').filter((line) => line.trim() !== '');
  const values = lines.map((line) => simple(isJsonObject(items) ? items : {}, line));
  if (typeof minItems === 'number' && values.length < minItems) throw new Error(atLeast(minItems, 'item'));
  if (typeof maxItems === 'number' && values.length > maxItems) throw new Error(`has at most ${maxItems} items`);
  return values;
}

const atLeast = (n: number, what: string): string => `has at least ${n} ${what}${n === 1 ? '' : 's'}`;

const isOf = (schema: Record<string, unknown>, type: string): boolean =>
  Array.isArray(schema.type) ? schema.type.includes(type) : schema.type === type;

function simple(schema: Record<string, unknown>, entry: string): unknown {
  if (isOf(schema, 'number') || isOf(schema, 'integer')) return number(schema, entry);
  if (isOf(schema, 'boolean')) return truth(entry);
  const { minLength, maxLength, pattern } = schema;
  if (typeof minLength === 'number' && entry.length < minLength) throw new Error(atLeast(minLength, 'character'));
  if (typeof maxLength === 'number' && entry.length > maxLength) throw new Error(`has at most ${maxLength} characters`);
  if (typeof pattern === 'string' && !fits(pattern, entry)) throw new Error(`does not fit ${pattern}`);
  return entry;
}

function truth(entry: string): boolean {
  if (!/^(true|false)$/.test(entry.trim())) throw new Error(`«${entry.trim()}» is neither true nor false`);
  return entry.trim() === 'true';
}

/** A pattern that the browser does not support is left to the platform. */
function fits(pattern: string, entry: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(entry);
  } catch {
    return true;
  }
}

function number(schema: Record<string, unknown>, entry: string): number {
  const value = Number(entry);
  const { minimum, maximum } = schema;
  if (!Number.isFinite(value)) throw new Error(`«${entry.trim()}» is not a number`);
  if (isOf(schema, 'integer') && !Number.isInteger(value)) throw new Error('is a whole number');
  if (typeof minimum === 'number' && value < minimum) throw new Error(`is at least ${minimum}`);
  if (typeof maximum === 'number' && value > maximum) throw new Error(`is at most ${maximum}`);
  return value;
}

const sorted = (value: unknown): unknown =>
  isJsonObject(value)
    ? Object.fromEntries(
        Object.keys(value)
          .sort()
          .map((name) => [name, sorted(value[name])]),
      )
    : Array.isArray(value)
      ? value.map(sorted)
      : value;

/** Whether no part of the value would be lost. */
export function canShow(field: SchemaField, value: unknown): boolean {
  const { value: again, errors } = valueOf(field, enteredOf(field, value));
  return Object.keys(errors).length === 0 && JSON.stringify(sorted(again)) === JSON.stringify(sorted(value));
}
