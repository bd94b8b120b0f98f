import type { Schema, SchemaField } from './schema-fields.js';
import { enteredOf, valueOf } from './schema-values.js';

export type Option = readonly [value: string | number, name: string];

export function schemaOf(
  fields: Record<string, Schema>,
  required: readonly string[],
  options: Record<string, readonly Option[]> = {},
): Schema {
  const properties = Object.entries(fields).map(([name, schema]) => [name, withOptions(schema, options[name])]);
  return { type: 'object', properties: Object.fromEntries(properties) as unknown, required };
}

function withOptions(schema: Schema, options: readonly Option[] | undefined): Schema {
  if (options === undefined) return schema;
  const choices = { enum: options.map(([value]) => value), enumNames: options.map(([, name]) => name) };
  return schema.type === 'array' ? { ...schema, items: choices } : { ...schema, ...choices };
}

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

/**
 * What the form makes of the values that it begins with. It differs from them where a text shows less than a value has,
 * such as a line break within a line of a list, and from later ones that others have written while the form is open.
 */
export const begunWith = (form: SchemaField, given?: Record<string, unknown>): Record<string, unknown> =>
  valueOf(form, enteredOf(form, given)).value as Record<string, unknown>;

/** Only changed fields; emptied ones become null, or an empty list. `before` is what the form began with. */
export function changeOf(
  fields: readonly string[],
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Record<string, unknown> {
  const change: Record<string, unknown> = {};
  for (const name of fields) {
    const [old, now] = [before[name], after[name]];
    if (isNothing(old) && isNothing(now)) continue;
    if (JSON.stringify(old) !== JSON.stringify(now)) change[name] = now ?? (Array.isArray(old) ? [] : null);
  }
  return change;
}

function* pathsOf(field: SchemaField): Iterable<string> {
  if (field.kind !== 'group') yield field.path;
  for (const each of field.fields) yield* pathsOf(each);
}

/** By path; undefined when the errors are not all about fields. */
export function errorsOf(
  form: SchemaField,
  details: readonly { field: string; message: string }[],
): Record<string, string> | undefined {
  const paths = [...pathsOf(form)];
  const errors: Record<string, string> = {};
  for (const { field, message } of details) {
    const at = paths.find((path) => field === path || field.startsWith(`${path}.`) || field.startsWith(`${path}[`));
    if (at === undefined) return undefined;
    errors[at] = field === at ? message : `${message} (${field})`;
  }
  return details.length > 0 ? errors : undefined;
}
