import { Ajv, type Options, type ValidateFunction } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import { type Dialect, dialectOf } from './schema-dialect.js';
import { type Schema, withSubschemas } from './schema-keywords.js';

const CLASSES = { '2020-12': Ajv2020, '2019-09': Ajv2019, 'draft-07': Ajv } as const;
const MAX_COMPILED = 50;

/** Linear time; a feature that RE2 lacks, such as a look-ahead, can at worst use up its thread. */
const regExp = Object.assign(
  (pattern: string): { test(text: string): boolean } => {
    try {
      const linear = RE2JS.compile(RE2JS.translateRegExp(pattern));
      return { test: (text) => linear.test(text) };
    } catch {
      return native(pattern);
    }
  },
  { code: 'regExp' },
);

/** With the flag that JSON Schema requires; some generators escape more characters than it permits. */
function native(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return new RegExp(pattern);
  }
}

const OPTIONS: Options = { strict: false, validateFormats: false, logger: false, code: { regExp } };
const readers = new Map<Dialect, Ajv>();
const compiled = new LRUCache<string, ValidateFunction>({ max: MAX_COMPILED });

function readerOf(dialect: Dialect): Ajv {
  const known = readers.get(dialect);
  if (known) return known;
  const made = new CLASSES[dialect](OPTIONS);
  readers.set(dialect, made);
  return made;
}

function compile(text: string): ValidateFunction {
  const known = compiled.get(text);
  if (known) return known;
  const schema = JSON.parse(text) as Schema;
  const dialect = dialectOf(schema) ?? '2020-12';
  const reader = readerOf(dialect);
  const { $schema: _, ...bare } = schema;
  if (reader.validateSchema(bare) !== true) throw new Error(reader.errorsText(reader.errors, { dataVar: 'schema' }));
  // One instance per schema: no `$id` of another caller can be referenced, and nothing is loaded.
  const made = new CLASSES[dialect]({ ...OPTIONS, meta: false, validateSchema: false }).compile(withNulls(bare));
  compiled.set(text, made);
  return made;
}

/** OpenAPI allows `nullable` next to a reference or a combination; Ajv supports it only next to a type. */
function withNulls(schema: Schema): Schema {
  const { nullable, ...bare } = withSubschemas(schema, withNulls);
  if (typeof nullable !== 'boolean') return nullable === undefined ? bare : { ...bare, nullable };
  if (bare['type'] !== undefined) return Array.isArray(bare['type']) && !nullable ? bare : { ...bare, nullable };
  return nullable ? { anyOf: [{ type: 'null' }, bare] } : bare;
}

export function schemaProblem(schema: string): string | null {
  try {
    compile(schema);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : 'it is not valid';
  }
}

/** Null when the value is valid; also reports a problem of the schema. */
export function valueProblem(schema: string, value: string): string | null {
  const problem = schemaProblem(schema);
  if (problem !== null) return problem;
  const validate = compile(schema);
  try {
    if (validate(JSON.parse(value))) return null;
  } catch (error) {
    if (error instanceof RangeError) return 'it is nested too deeply for the schema';
    throw error;
  }
  const [first] = validate.errors ?? [];
  const where = first?.instancePath ? `at ${first.instancePath} it ` : 'it ';
  return `${where}${first?.message ?? 'does not fit the schema'}`;
}
