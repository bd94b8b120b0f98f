import { isJsonObject } from './json-object.js';

export type Schema = Record<string, unknown>;

export type FieldKind = 'text' | 'number' | 'boolean' | 'choice' | 'choices' | 'list' | 'group' | 'json';

export interface SchemaField {
  /** In dot form; empty for the whole value. */
  path: string;
  kind: FieldKind;
  label: string;
  hint: string;
  required: boolean;
  schema: Schema;
  /** Values as JSON. */
  choices: string[];
  names: string[];
  fields: SchemaField[];
}

const SIMPLE = ['string', 'number', 'integer', 'boolean'];
/** Deeper values are written as JSON. */
const MAX_DEPTH = 4;

/** Resolves a local `$ref`, and an `anyOf` with a single alternative to null. */
function resolved(schema: Schema, root: Schema): Schema {
  const { $ref, anyOf, oneOf } = schema;
  if (typeof $ref === 'string' && $ref.startsWith('#')) {
    const parts = $ref.split('/').slice(1);
    const found = parts.reduce<unknown>((at, part) => (isJsonObject(at) ? at[part] : undefined), root);
    return isJsonObject(found) ? { ...found, ...without(schema, '$ref') } : schema;
  }
  const either = [anyOf, oneOf].find(Array.isArray) as unknown[] | undefined;
  const [only, ...others] = (either ?? []).filter((each) => isJsonObject(each) && each.type !== 'null');
  return isJsonObject(only) && others.length === 0 ? { ...only, ...without(schema, 'anyOf', 'oneOf') } : schema;
}

const without = (schema: Schema, ...names: string[]): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => !names.includes(name)));

function typeOf({ type, properties }: Schema): string {
  const types = (Array.isArray(type) ? type : [type]).filter((each) => typeof each === 'string' && each !== 'null');
  if (types.length === 1) return String(types[0]);
  return types.length === 0 && isJsonObject(properties) ? 'object' : '';
}

const choicesOf = ({ enum: values }: Schema): string[] =>
  Array.isArray(values) ? values.map((value) => JSON.stringify(value)) : [];

const namesOf = ({ enumNames }: Schema): string[] => (Array.isArray(enumNames) ? enumNames.map(String) : []);

function kindOf(schema: Schema, root: Schema, depth: number): FieldKind {
  if (choicesOf(schema).length > 0) return 'choice';
  const type = typeOf(schema);
  if (type === 'string') return 'text';
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'boolean') return 'boolean';
  const { items, properties } = schema;
  if (type === 'array' && isJsonObject(items)) {
    const item = resolved(items, root);
    if (choicesOf(item).length > 0) return 'choices';
    return SIMPLE.includes(typeOf(item)) ? 'list' : 'json';
  }
  const hasFields = type === 'object' && isJsonObject(properties) && Object.keys(properties).length > 0;
  return hasFields && depth < MAX_DEPTH ? 'group' : 'json';
}

function fieldOf(given: Schema, root: Schema, path: string, required: boolean, depth: number): SchemaField {
  const schema = resolved(given, root);
  const kind = kindOf(schema, root, depth);
  const items = kind === 'choices' && isJsonObject(schema.items) ? resolved(schema.items, root) : schema;
  const properties = kind === 'group' && isJsonObject(schema.properties) ? Object.entries(schema.properties) : [];
  const needed = Array.isArray(schema.required) ? schema.required : [];
  return {
    path,
    kind,
    label: typeof schema.title === 'string' ? schema.title : (path.split('.').pop() ?? ''),
    hint: typeof schema.description === 'string' ? schema.description : '',
    required,
    schema,
    choices: choicesOf(items),
    names: namesOf(items),
    fields: properties
      .map(([name, each]) =>
        fieldOf(
          isJsonObject(each) ? each : {},
          root,
          path === '' ? name : `${path}.${name}`,
          needed.includes(name),
          depth + 1,
        ),
      )
      // Stored schemas lose their order: required fields come first.
      .sort((one, other) => Number(other.required) - Number(one.required)),
  };
}

/** Values that no field fits are written as JSON. */
export const formOf = (schema: Schema): SchemaField => fieldOf(schema, schema, '', true, 0);
