import { type Class, type Field, fieldsOf, type JsonSchema } from '@signalbox/contracts';
import fc, { type Arbitrary } from 'fast-check';

/** Literal addresses that are refused or closed, so that no name is ever resolved. */
const URLS = ['http://127.0.0.1:1/', 'http://[::1]/', 'https://169.254.169.254/latest', 'http://10.0.0.1:81/a?b#c'];

const text = (min: number, max: number): Arbitrary<string> => {
  const most = Math.max(min, Math.min(max, 40));
  return fc.oneof(
    fc.string({ minLength: min, maxLength: most }),
    fc.string({ minLength: min, maxLength: most, unit: 'grapheme' }),
    fc.constantFrom('a'.repeat(Math.min(max, 2000)), 'x'.repeat(Math.max(min, 1))),
  );
};

function stringOf(schema: JsonSchema): Arbitrary<unknown> {
  if (typeof schema.pattern !== 'string') return text(Number(schema.minLength ?? 0), Number(schema.maxLength ?? 1000));
  if (schema.pattern.startsWith('^https?')) return fc.constantFrom(...URLS);
  return matching(schema.pattern);
}

/** Cached: each takes long to build. */
const patterns = new Map<string, Arbitrary<string>>();

function matching(pattern: string): Arbitrary<string> {
  let known = patterns.get(pattern);
  if (!known) patterns.set(pattern, (known = newMatching(pattern)));
  return known;
}

/** fast-check cannot generate for look-aheads: they are removed and forbidden texts filtered out. */
function newMatching(pattern: string): Arbitrary<string> {
  const whole = new RegExp(pattern);
  return fc
    .stringMatching(new RegExp(pattern.replace(/\(\?[!=]([^()]|\([^()]*\))*\)/g, '')))
    .filter((made) => whole.test(made));
}

function numberOf(schema: JsonSchema): Arbitrary<unknown> {
  const min = Number(schema.minimum ?? -1e6);
  const max = Number(schema.maximum ?? 1e6);
  const edges = fc.constantFrom(min, max);
  const small = Math.min(max, Math.max(min, 50));
  const plain =
    schema.type === 'integer' ? fc.integer({ min, max: small }) : fc.double({ min, max: small, noNaN: true });
  return fc.oneof({ arbitrary: plain, weight: 4 }, { arbitrary: edges, weight: 1 });
}

function listOf(schema: JsonSchema, depth: number): Arbitrary<unknown> {
  const min = Number(schema.minItems ?? 0);
  const items = schemaValue((schema.items ?? {}) as JsonSchema, depth - 1);
  return fc.array(items, { minLength: min, maxLength: Math.max(min, Math.min(3, Number(schema.maxItems ?? 3))) });
}

function mapOf(schema: JsonSchema, depth: number): Arbitrary<unknown> {
  const values = schema.additionalProperties;
  const entry = typeof values === 'object' && values !== null ? schemaValue(values as JsonSchema, depth - 1) : anyJson;
  return fc.dictionary(matching('^[A-Za-z_][A-Za-z0-9_]{0,9}$'), entry, { maxKeys: 3 });
}

export const anyJson: Arbitrary<unknown> = fc.jsonValue({ maxDepth: 3 });

export function schemaValue(schema: JsonSchema, depth = 4): Arbitrary<unknown> {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  if (schema.$class) return depth <= 0 ? fc.constant({}) : objectValue(schema.$class as Class, depth - 1);
  if (schema.$named) return schemaValue((schema.schema ?? { type: 'object' }) as JsonSchema, depth);
  const choices = (schema.oneOf ?? schema.anyOf) as JsonSchema[] | undefined;
  if (choices) return fc.oneof(...choices.map((choice) => schemaValue(choice, depth)));
  switch (schema.type) {
    case 'string':
      return stringOf(schema);
    case 'integer':
    case 'number':
      return numberOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return listOf(schema, depth);
    case 'object':
      return mapOf(schema, depth);
    default:
      return anyJson;
  }
}

export function fieldValue(field: Field, depth = 4): Arbitrary<unknown> {
  const value = schemaValue(field.type.schema(), depth);
  return field.nullable ? fc.option(value, { freq: 6 }) : value;
}

export function objectValue(cls: Class, depth = 4): Arbitrary<Record<string, unknown>> {
  const fields = [...fieldsOf(cls).values()].filter((field) => !field.rest);
  return fc.record(Object.fromEntries(fields.map((field) => [field.name, fieldValue(field, depth)])), {
    requiredKeys: fields.filter((field) => !field.optional).map(({ name }) => name),
  });
}

const HOSTILE_TEXT = [
  "'; DROP TABLE agents; --",
  '{{secrets.KEY}} #{7*7} <script>alert(1)</script>',
  '../../../../etc/passwd',
  '\u202e\ufeff\u0301',
  '%00%0d%0aX-Injected: 1',
  '\\u0000',
  'NaN',
  '9'.repeat(400),
  'constructor',
  '(a+)+$',
];

/** Values that hardly any field accepts, and those that break careless code. */
export const junk: Arbitrary<unknown> = fc.oneof(
  anyJson,
  fc.constantFrom<unknown>(
    ...HOSTILE_TEXT,
    null,
    true,
    -1,
    0,
    1.5,
    2 ** 31,
    2 ** 53,
    -0,
    1e308,
    '',
    [],
    {},
    [[]],
    [{}],
  ),
  fc.constantFrom<unknown>('\0', '\ud800', { toString: 1 }, { $gt: '' }, { length: 1e9 }, { then: 1, toJSON: 1 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.integer(),
  fc.constant('x'.repeat(30_000)),
);
