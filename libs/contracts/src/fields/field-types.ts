import { isJsonObject } from '../json.js';

/** A JSON Schema fragment as it appears in the OpenAPI document. */
export type JsonSchema = { [key: string]: unknown };

/** A class whose fields are declared with the decorators of `fields.ts`. */
export type Class<T = object> = new () => T;

/** The values a field accepts: its rule in words, its OpenAPI schema and the conversion of path or query text. */
export interface FieldType {
  schema: () => JsonSchema;
  /** The problem of a value as the end of a sentence («must be …»); undefined when the value is valid. */
  problem: (value: unknown) => string | undefined;
  fromText?: (text: string) => unknown;
  normalise?: (value: unknown) => unknown;
  /** Set when the value, each item or each map value is an object of a class. */
  nested?: { of: () => Class; as: 'one' | 'list' | 'map' };
}

const MAX_INT = 2_147_483_647;

function textIn(value: string): string | undefined {
  return value.includes('\0') || !value.isWellFormed() ? 'must not contain NUL or lone surrogates' : undefined;
}

function textProblem(value: unknown, min: number, max: number): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  const hostile = textIn(value);
  if (hostile) return hostile;
  // Code points are counted only when the cheaper count of UTF-16 units is not conclusive.
  const length = value.length <= max && value.length >= 2 * min ? value.length : [...value].length;
  if (length < min || length > max) return `must have ${min} to ${max} characters`;
  return undefined;
}

export const stringType = (min: number, max: number, trim = false): FieldType => ({
  schema: () => ({ type: 'string', ...(min ? { minLength: min } : {}), maxLength: max }),
  problem: (value) => textProblem(value, min, max),
  fromText: (text) => text,
  ...(trim ? { normalise: (value: unknown) => (typeof value === 'string' ? value.trim() : value) } : {}),
});

/** A text whose bounds count bytes of UTF-8; the schema can only say how many characters there are at most. */
export const utf8Type = (min: number, max: number): FieldType => {
  const characters = stringType(min, max);
  return {
    ...characters,
    problem: (value) =>
      characters.problem(value) ??
      (Buffer.byteLength(value as string) > max ? `must be at most ${max} bytes of UTF-8` : undefined),
  };
};

export const patternType = (pattern: RegExp, says: string, format?: string): FieldType => ({
  schema: () => ({ type: 'string', pattern: pattern.source, ...(format ? { format } : {}) }),
  problem: (value) => {
    if (typeof value !== 'string' || !pattern.test(value)) return `must be ${says}`;
    return textIn(value);
  },
  fromText: (text) => text,
});

function numberFromText(text: string): unknown {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

export const intType = (min = 1, max = MAX_INT): FieldType => ({
  schema: () => ({ type: 'integer', minimum: min, maximum: max }),
  problem: (value) =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max
      ? undefined
      : `must be an integer from ${min} to ${max}`,
  fromText: numberFromText,
});

export const numType = (min?: number, max?: number): FieldType => ({
  schema: () => ({
    type: 'number',
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
  }),
  problem: (value) =>
    typeof value === 'number' && Number.isFinite(value) && value >= (min ?? -Infinity) && value <= (max ?? Infinity)
      ? undefined
      : `must be a number${min === undefined ? '' : ` of at least ${min}`}${max === undefined ? '' : ` and at most ${max}`}`,
  fromText: numberFromText,
});

export const boolType: FieldType = {
  schema: () => ({ type: 'boolean' }),
  problem: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
  fromText: (text) => (text === 'true' ? true : text === 'false' ? false : text),
};

export const oneOfType = (values: readonly string[]): FieldType => ({
  schema: () => ({ type: 'string', enum: [...values] }),
  problem: (value) => (values.includes(value as string) ? undefined : `must be one of ${values.join(', ')}`),
  fromText: (text) => text,
});

/** Bounds of a free JSON value. */
export interface JsonBounds {
  maxBytes: number;
  maxDepth: number;
}

/** `obj` of docs/api/README.md: at most 64 KiB serialised, depth 20. */
export const OBJ_BOUNDS: JsonBounds = { maxBytes: 65_536, maxDepth: 20 };

/** Upper bound of the JSON bytes of one character. */
const MAX_ESCAPE = 6;
/** Upper bound of the JSON bytes of a number, a literal or a pair of brackets, with its comma or colon. */
const MAX_SCALAR = 32;

/** Lower bound of the JSON bytes of a list element with its comma; entries of objects with key and colon take more. */
const MIN_ELEMENT = 2;
const MIN_ENTRY = 5;

/** Walks a JSON value and adds up an upper bound of its bytes. */
class JsonWalk {
  bytesAtMost = 0;

  constructor(private readonly maxBytes: number) {}

  problem(value: unknown, left: number): string | undefined {
    if (typeof value === 'string') return this.text(value);
    this.bytesAtMost += MAX_SCALAR;
    if (typeof value === 'bigint') this.bytesAtMost = Infinity;
    if (typeof value !== 'object' || value === null) return undefined;
    if (left === 0) return 'is nested too deeply';
    // `toJSON` replaces the keys of a value, so its bytes have to be measured.
    if ('toJSON' in value) this.bytesAtMost = Infinity;
    return Array.isArray(value) ? this.list(value, left - 1) : this.entries(value as Record<string, unknown>, left - 1);
  }

  /** A list that is too long by its length alone is not walked. */
  private list(list: unknown[], left: number): string | undefined {
    if (list.length * MIN_ELEMENT > this.maxBytes) return tooLarge(this.maxBytes);
    for (const item of list) {
      const problem = this.problem(item, left);
      if (problem) return problem;
    }
    return undefined;
  }

  private entries(object: Record<string, unknown>, left: number): string | undefined {
    const keys = Object.keys(object);
    if (keys.length * MIN_ENTRY > this.maxBytes + 1) return tooLarge(this.maxBytes);
    for (const key of keys) {
      const problem = this.text(key) ?? this.problem(object[key], left);
      if (problem) return problem;
    }
    return undefined;
  }

  private text(value: string): string | undefined {
    this.bytesAtMost += value.length * MAX_ESCAPE + MAX_SCALAR;
    return textIn(value);
  }
}

const tooLarge = (maxBytes: number): string => `must be at most ${maxBytes} bytes of JSON`;

/** Returns the problem of a free JSON value, or undefined. */
export function jsonProblem(value: unknown, bounds: JsonBounds): string | undefined {
  const walk = new JsonWalk(bounds.maxBytes);
  const problem = walk.problem(value, bounds.maxDepth);
  if (problem) return problem;
  // Most values are far too small to need measuring.
  if (walk.bytesAtMost <= bounds.maxBytes) return undefined;
  const size = Buffer.byteLength(JSON.stringify(value) ?? '');
  return size > bounds.maxBytes ? tooLarge(bounds.maxBytes) : undefined;
}

export const objType = (bounds: JsonBounds = OBJ_BOUNDS, schema: JsonSchema = {}): FieldType => ({
  schema: () => ({ type: 'object', additionalProperties: true, ...schema }),
  problem: (value) => (isJsonObject(value) ? jsonProblem(value, bounds) : 'must be an object'),
});

export const jsonType = (bounds: JsonBounds = { maxBytes: 10_485_760, maxDepth: 64 }): FieldType => ({
  schema: () => ({}),
  problem: (value) => jsonProblem(value, bounds),
});

export const listType = (item: FieldType, min: number, max: number): FieldType => ({
  schema: () => ({ type: 'array', items: item.schema(), ...(min ? { minItems: min } : {}), maxItems: max }),
  problem: (value) => {
    if (!Array.isArray(value)) return 'must be a list';
    if (value.length < min || value.length > max) return `must have ${min} to ${max} items`;
    const at = value.findIndex((entry) => item.problem(entry) !== undefined);
    return at < 0 ? undefined : `has a bad item at [${at}]: it ${item.problem(value[at])}`;
  },
  fromText: (text) => text.split(',').map((part) => (item.fromText ? item.fromText(part) : part)),
});

export const mapType = (value: FieldType, keys: RegExp, max: number): FieldType => ({
  schema: () => ({ type: 'object', additionalProperties: value.schema(), maxProperties: max }),
  problem: (map) => {
    if (!isJsonObject(map)) return 'must be an object';
    const entries = Object.entries(map);
    if (entries.length > max) return `must have at most ${max} entries`;
    for (const [key, entry] of entries) {
      if (!keys.test(key) || textIn(key)) return `has a bad name: ${JSON.stringify(key.slice(0, 80))}`;
      const problem = value.problem(entry);
      if (problem) return `has a bad value at ${key}: it ${problem}`;
    }
    return undefined;
  },
});

export const nestedType = (of: () => Class, as: 'one' | 'list' | 'map', min = 0, max = 1000): FieldType => ({
  // The schema of a nested class is a reference that the OpenAPI writer resolves.
  schema: () => {
    const ref = { $class: of() };
    if (as === 'one') return ref;
    if (as === 'list') return { type: 'array', items: ref, ...(min ? { minItems: min } : {}), maxItems: max };
    return { type: 'object', additionalProperties: ref, maxProperties: max };
  },
  problem: (value) => {
    if (as === 'list') {
      if (!Array.isArray(value)) return 'must be a list';
      return value.length < min || value.length > max ? `must have ${min} to ${max} items` : undefined;
    }
    if (!isJsonObject(value)) return 'must be an object';
    return as === 'map' && Object.keys(value).length > max ? `must have at most ${max} entries` : undefined;
  },
  nested: { of, as },
});
