import 'reflect-metadata';
import { ValidateBy } from 'class-validator';
import { addChecks, checksOf } from './checks.js';
import {
  boolType,
  type Class,
  type FieldType,
  intType,
  type JsonSchema,
  jsonType,
  listType,
  mapType,
  nestedType,
  numType,
  objType,
  oneOfType,
  patternType,
  stringType,
} from './field-types.js';

/** A declared field: its type and the meaning of its absence. */
export interface Field {
  name: string;
  type: FieldType;
  optional: boolean;
  nullable: boolean;
  /** The value of an absent field; a function creates a new one for each request. */
  default?: unknown;
  /** Never stored in an idempotency record, because it is shown only once. */
  shownOnce: boolean;
  description?: string;
  /** Collects the keys that the class does not declare. */
  rest: boolean;
}

type FieldMark = Partial<Omit<Field, 'name'>>;

const declared = new WeakMap<object, Map<string, Field>>();

function mark(prototype: object, name: string, change: FieldMark): void {
  let own = declared.get(prototype);
  if (!own) declared.set(prototype, (own = new Map()));
  const known: Field = own.get(name) ?? {
    name,
    type: jsonType(),
    optional: false,
    nullable: false,
    shownOnce: false,
    rest: false,
  };
  own.set(name, { ...known, ...change });
}

const resolved = new WeakMap<Class, Map<string, Field>>();

/** Every field of a class and its base classes, in the order of declaration. */
export function fieldsOf(cls: Class): Map<string, Field> {
  const known = resolved.get(cls);
  if (known) return known;
  const chain: object[] = [];
  for (let at = cls.prototype as object | null; at && at !== Object.prototype; at = Object.getPrototypeOf(at) as object)
    chain.unshift(at);
  const fields = new Map(chain.flatMap((prototype) => [...(declared.get(prototype) ?? [])]));
  resolved.set(cls, fields);
  return fields;
}

/** The class-validator rule of a field; it reads the declaration, so the order of decorators does not matter. */
function rule(prototype: object, name: string): void {
  const problemOf = (value: unknown, object: object): string | undefined => {
    const field = fieldsOf(object.constructor as Class).get(name);
    if (!field) return undefined;
    if (value === undefined) return field.optional ? undefined : 'is required';
    if (value === null) return field.nullable ? undefined : 'must not be null';
    return field.type.problem(value);
  };
  ValidateBy({
    name: 'field',
    validator: {
      validate: (value, args) => problemOf(value, args?.object ?? {}) === undefined,
      defaultMessage: (args) => problemOf(args?.value, args?.object ?? {}) ?? 'is not valid',
    },
  })(prototype, name);
}

/** Declares a field of the given type: validation rule and OpenAPI property in one. */
export function field(type: FieldType, marks: FieldMark = {}): PropertyDecorator {
  return (prototype, name) => {
    mark(prototype, String(name), { type, ...marks });
    rule(prototype, String(name));
  };
}

const marking =
  (change: FieldMark): PropertyDecorator =>
  (prototype, name) =>
    mark(prototype, String(name), change);

/** The field may be absent. */
export const Optional = (): PropertyDecorator => marking({ optional: true });
/** The field may be null. */
export const Nullable = (): PropertyDecorator => marking({ nullable: true });
/** The field may be absent and defaults to this value. */
export const Default = (value: unknown): PropertyDecorator => marking({ optional: true, default: value });
/** The field is shown once and never again, not even when the same call is replayed. */
export const ShownOnce = (): PropertyDecorator => marking({ shownOnce: true });
/**
 * The field collects every key that its class does not declare, as an object; `parse` fills it and `withoutRest` undoes
 * it. Its own name must be one that no client uses.
 */
export const Rest = (): PropertyDecorator => field(jsonType(), { optional: true, rest: true });
/** Adds a sentence to the OpenAPI document. */
export const Description = (description: string): PropertyDecorator => marking({ description });

/** `id`, `int` with bounds. */
export const Id = (): PropertyDecorator => field(intType());
/** Integer within bounds (default 1..2147483647). */
export const Int = (min?: number, max?: number): PropertyDecorator => field(intType(min, max));
/** A count or other non-negative integer of an output. */
export const Count = (): PropertyDecorator => field(intType(0, Number.MAX_SAFE_INTEGER));
/** Finite number within bounds. */
export const Num = (min?: number, max?: number): PropertyDecorator => field(numType(min, max));
/** true or false. */
export const Flag = (): PropertyDecorator => field(boolType);
/** Integer epoch milliseconds. */
export const Epoch = (): PropertyDecorator => field(intType(0, Number.MAX_SAFE_INTEGER));
/** `name`: 1..200 characters, trimmed. */
export const Name = (): PropertyDecorator => field(stringType(1, 200, true));
/** `str(a..b)`, default 0..1000. */
export const Str = (min = 0, max = 1000): PropertyDecorator => field(stringType(min, max));
/** `text`: 0..20000 characters. */
export const Text = (max = 20_000): PropertyDecorator => field(stringType(0, max));
/** `slug`. */
export const Slug = (): PropertyDecorator =>
  field(patternType(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'a slug of a-z, 0-9, "_" and "-", at most 64 long'));
/** `MAJOR.MINOR.PATCH`. */
export const SemVer = (): PropertyDecorator =>
  field(patternType(/^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/, 'a semantic version MAJOR.MINOR.PATCH'));
/** Lower-case UUID. */
export const Uuid = (): PropertyDecorator =>
  field(patternType(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, 'a lower-case UUID', 'uuid'));
/** A string of a given pattern; `says` completes «must be …». */
export const Matching = (pattern: RegExp, says: string): PropertyDecorator => field(patternType(pattern, says));
/** One of a closed set of words. */
export const OneOf = (values: readonly string[]): PropertyDecorator => field(oneOfType(values));
/** `obj`: a JSON object of at most 64 KiB and depth 20; `schema` only documents. */
export const Obj = (schema?: JsonSchema): PropertyDecorator => field(objType(undefined, schema));
/** Any JSON value. */
export const Json = (maxBytes?: number): PropertyDecorator =>
  field(jsonType(maxBytes ? { maxBytes, maxDepth: 20 } : undefined));
/** An object of another declared class. */
export const Nested = (of: () => Class): PropertyDecorator => field(nestedType(of, 'one'));
/** A list of objects of another declared class. */
export const ListOf = (of: () => Class, min = 0, max = 1000): PropertyDecorator =>
  field(nestedType(of, 'list', min, max));
/** A list of plain values. */
export const List = (item: FieldType, min = 0, max = 1000): PropertyDecorator => field(listType(item, min, max));
/** A map from names to plain values. */
export const MapOf = (value: FieldType, keys = /^[^\0]{1,200}$/, max = 1000): PropertyDecorator =>
  field(mapType(value, keys, max));

type Shape<T> = Class<T>;

function derive(cls: Class, keep: (field: Field) => Field | null): Class {
  // A rule over several fields may read an omitted one, or rely on one that has become optional.
  if (checksOf(cls).length > 0)
    throw new Error(`${cls.name} has rules over several fields: derive from a class without them and state them anew`);
  return copyOf(cls, keep);
}

function copyOf(cls: Class, keep: (field: Field) => Field | null): Class {
  class Derived {}
  for (const known of fieldsOf(cls).values()) {
    const kept = keep(known);
    if (!kept) continue;
    const { type, name, ...marks } = kept;
    field(type, marks)(Derived.prototype, name);
  }
  return Derived;
}

/** The same fields, all optional and without defaults: the body of an update. Not for a class with `@Checked` rules. */
export function partial<T extends object, K extends keyof T = never>(
  cls: Shape<T>,
  ...without: K[]
): Class<Partial<Omit<T, K>>> {
  return derive(cls, (known) =>
    without.includes(known.name as K) ? null : { ...known, optional: true, default: undefined },
  ) as Class<Partial<Omit<T, K>>>;
}

/** The named fields only. Not for a class with `@Checked` rules. */
export function pick<T extends object, K extends keyof T>(cls: Shape<T>, ...names: K[]): Class<Pick<T, K>> {
  return derive(cls, (known) => (names.includes(known.name as K) ? known : null)) as Class<Pick<T, K>>;
}

/** All but the named fields. Not for a class with `@Checked` rules. */
export function omit<T extends object, K extends keyof T>(cls: Shape<T>, ...names: K[]): Class<Omit<T, K>> {
  return derive(cls, (known) => (names.includes(known.name as K) ? null : known)) as Class<Omit<T, K>>;
}

/** Combines the fields and `@Checked` rules of both classes, for an input that mixes a path with a body. */
export function join<A extends object, B extends object>(first: Shape<A>, second: Shape<B>): Class<A & B> {
  const both = copyOf(first, (known) => known);
  for (const { type, name, ...marks } of fieldsOf(second).values()) field(type, marks)(both.prototype as object, name);
  addChecks(both, [...checksOf(first), ...checksOf(second)]);
  return both as Class<A & B>;
}
