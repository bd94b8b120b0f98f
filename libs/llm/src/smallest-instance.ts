import { isJsonObject } from '@signalbox/contracts';

type Schema = Record<string, unknown>;
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** More than 1,000 nodes or 20 levels, or infinite. */
export class SchemaTooLarge extends Error {
  readonly kind = 'schema_too_large';
  override readonly name = 'SchemaTooLarge';

  constructor() {
    super('the smallest instance of the schema is larger than 1000 nodes or deeper than 20 levels');
  }
}

/** A `$ref` leads outside the schema or does not resolve. */
export class SchemaUnresolvable extends Error {
  readonly kind = 'schema_unresolvable';
  override readonly name = 'SchemaUnresolvable';

  constructor(readonly reference: string) {
    super(`the schema has no '${reference.slice(0, 200)}'`);
  }
}

const MAX_NODES = 1_000;
const MAX_DEPTH = 20;
const MAX_STEPS = 10_000;
const MAX_TEXT = 100_000;

/** Only constants, first choices, lower bounds and required properties. */
export function smallestInstance(schema: unknown): Json {
  return new Builder(schema).build(schema, 1);
}

class Builder {
  #nodes = 0;
  #steps = 0;
  #text = 0;

  constructor(private readonly root: unknown) {}

  build(given: unknown, depth: number): Json {
    this.#count(depth);
    const schema = this.#flattened(given, 0);
    if ('const' in schema) return this.#copied(schema['const'], depth);
    if (Array.isArray(schema['enum']) && schema['enum'].length > 0) return this.#copied(schema['enum'][0], depth);
    if ('default' in schema) return this.#copied(schema['default'], depth);
    return this.#ofType(typeOf(schema), schema, depth);
  }

  #ofType(type: string, schema: Schema, depth: number): Json {
    if (type === 'object') return this.#object(schema, depth);
    if (type === 'array') return this.#array(schema, depth);
    if (type === 'string') return this.#string(schema);
    if (type === 'number' || type === 'integer') return smallestNumber(schema, type === 'integer');
    return type === 'boolean' ? false : null;
  }

  #object(schema: Schema, depth: number): Json {
    const properties = asSchema(schema['properties']);
    const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
    const names = [...new Set(required)].filter((name) => typeof name === 'string');
    // fromEntries makes even `__proto__` an ordinary property.
    return Object.fromEntries(
      names.map((name) => [name, this.build(Object.hasOwn(properties, name) ? properties[name] : {}, depth + 1)]),
    );
  }

  #array(schema: Schema, depth: number): Json {
    const count = bound(schema['minItems']);
    if (count > MAX_NODES) throw new SchemaTooLarge();
    const first = Array.isArray(schema['prefixItems']) ? (schema['prefixItems'] as unknown[]) : [];
    return Array.from({ length: count }, (_, index) => this.build(first[index] ?? schema['items'] ?? {}, depth + 1));
  }

  #string(schema: Schema): string {
    const length = bound(schema['minLength']);
    this.#text += length;
    if (this.#text > MAX_TEXT) throw new SchemaTooLarge();
    return 'x'.repeat(length);
  }

  /** Counted like generated values: `$ref` must not expand a small schema into a large answer. */
  #copied(value: unknown, depth: number): Json {
    if (typeof value === 'string') this.#text += value.length;
    if (this.#text > MAX_TEXT) throw new SchemaTooLarge();
    if (typeof value === 'object' && value !== null) {
      for (const child of Object.values(value)) {
        this.#count(depth + 1);
        this.#copied(child, depth + 1);
      }
    }
    return value as Json;
  }

  #count(depth: number): void {
    this.#nodes += 1;
    if (this.#nodes > MAX_NODES || depth > MAX_DEPTH) throw new SchemaTooLarge();
  }

  /** Follows references and merges every `allOf` and the first branch of `anyOf` and `oneOf`. */
  #flattened(given: unknown, hops: number): Schema {
    this.#steps += 1;
    if (this.#steps > MAX_STEPS || hops > MAX_NODES) throw new SchemaTooLarge();
    const { $ref, allOf, anyOf, oneOf, ...own } = asSchema(given);
    const further = [...listOf(allOf), ...listOf(anyOf).slice(0, 1), ...listOf(oneOf).slice(0, 1)];
    if (typeof $ref === 'string') further.unshift(this.#resolved($ref));
    return further.reduce((merged: Schema, part) => mergedOf(merged, this.#flattened(part, hops + 1)), own);
  }

  #resolved(reference: string): unknown {
    if (reference !== '#' && !reference.startsWith('#/')) throw new SchemaUnresolvable(reference);
    return reference
      .split('/')
      .slice(1)
      .reduce((at: unknown, token) => {
        const key = decodedToken(token).replaceAll('~1', '/').replaceAll('~0', '~');
        if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) throw new SchemaUnresolvable(reference);
        return (at as Schema)[key];
      }, this.root);
  }
}

function mergedOf(one: Schema, other: Schema): Schema {
  const merged: Schema = { ...other, ...one };
  const required = [...listOf(one['required']), ...listOf(other['required'])];
  if (required.length > 0) merged['required'] = required;
  for (const key of ['minLength', 'minItems', 'minimum', 'exclusiveMinimum']) {
    const values = [one[key], other[key]].filter((value) => typeof value === 'number');
    if (values.length > 0) merged[key] = Math.max(...values);
  }
  if (one['properties'] && other['properties']) merged['properties'] = mergedProperties(one, other);
  return merged;
}

function mergedProperties(one: Schema, other: Schema): Schema {
  const [first, second] = [asSchema(one['properties']), asSchema(other['properties'])];
  const shared = Object.keys(first).filter((name) => Object.hasOwn(second, name));
  const both = shared.map((name) => [name, { allOf: [first[name], second[name]] }] as const);
  return { ...second, ...first, ...Object.fromEntries(both) };
}

function typeOf(schema: Schema): string {
  const type: unknown = Array.isArray(schema['type']) ? schema['type'][0] : schema['type'];
  if (typeof type === 'string') return type;
  const has = (...keys: string[]) => keys.some((key) => key in schema);
  if (has('properties', 'required', 'additionalProperties')) return 'object';
  if (has('items', 'prefixItems', 'minItems')) return 'array';
  if (has('minLength', 'maxLength', 'pattern', 'format')) return 'string';
  return has('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf') ? 'number' : 'null';
}

function smallestNumber(schema: Schema, whole: boolean): number {
  const step = whole ? 1 : 0;
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = schema;
  let value = typeof minimum === 'number' ? minimum : 0;
  if (typeof exclusiveMinimum === 'number')
    value = Math.max(typeof minimum === 'number' ? minimum : -Infinity, exclusiveMinimum + 1);
  else if (typeof minimum !== 'number') value = Math.min(value, ceiling(maximum, 0), ceiling(exclusiveMaximum, 1));
  const unit = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : step;
  // Turns -0 into 0.
  return unit > 0 ? Math.ceil(value / unit) * unit + 0 : value;
}

function ceiling(bound: unknown, less: number): number {
  return typeof bound === 'number' ? bound - less : Infinity;
}

function bound(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.ceil(value) : 0;
}

function asSchema(value: unknown): Schema {
  return isJsonObject(value) ? value : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function decodedToken(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}
