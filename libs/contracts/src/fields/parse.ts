import { type Check, checksOf } from './checks.js';
import { type Detail, invalid } from '../errors.js';
import type { Class } from './field-types.js';
import { type Field, fieldsOf } from './fields.js';
import { ruleProblems } from './rules.js';

/** The path of a value; null in the first pass, which records no paths because nearly every input is valid. */
type Path = string | null;

const at = (path: Path, name: string): Path => (path ? `${path}.${name}` : path === null ? null : name);
const itemAt = (path: Path, index: number): Path => (path === null ? null : `${path}[${index}]`);

const MAX_DETAILS = 50;

/** Thrown to end a parse that has found enough problems; never reaches a caller. */
const ENOUGH = new Error('enough problems were found');

/** Explains a key that a class does not declare; undefined when there is no specific explanation. */
export type UnknownField = (name: string) => string | undefined;

/** The problems of one value; reading ends at a maximum number. */
class Problems {
  readonly found: Detail[] = [];

  constructor(
    private readonly limit: number,
    /** Explains unknown keys of the outermost object. */
    private readonly unknownField?: UnknownField,
  ) {}

  addUnknown(path: Path, name: string): void {
    const known = path === '' ? this.unknownField?.(name) : undefined;
    this.add(at(path, name), known ?? 'is not a known field');
  }

  /** Records a problem; throws `ENOUGH` at the last one. */
  add(field: Path, message: string): void {
    this.found.push({ field: (field ?? '').slice(0, 200), message });
    if (this.found.length >= this.limit) throw ENOUGH;
  }
}

function readNested(field: Field, value: unknown, path: Path, problems: Problems): unknown {
  const { of, as } = field.type.nested ?? { of: () => Object as unknown as Class, as: 'one' };
  if (as === 'one') return construct(of(), value, path, problems);
  // A value of the wrong type or length is refused by its rule; its content is not read.
  if (field.type.problem(value) !== undefined) return value;
  if (as === 'list')
    return (value as unknown[]).map((item, index) => construct(of(), item, itemAt(path, index), problems));
  return Object.fromEntries(
    Object.entries(value as object).map(([key, item]) => [key, construct(of(), item, at(path, key), problems)]),
  );
}

function readValue(field: Field, raw: unknown, path: Path, problems: Problems): unknown {
  // An absent field gets its default after the rest has been read.
  if (raw === undefined || raw === null) return raw;
  const value = field.type.normalise ? field.type.normalise(raw) : raw;
  return field.type.nested ? readNested(field, value, path, problems) : value;
}

/** Builds an instance from plain data; unknown keys are problems, bad values are left to the rules. */
function construct(cls: Class, plain: unknown, path: Path, problems: Problems): unknown {
  if (typeof plain !== 'object' || plain === null || Array.isArray(plain)) return plain;
  const { fields, rest, defaults } = shapeOf(cls);
  const instance = Object.create(cls.prototype as object) as Record<string, unknown>;
  let unknown: Record<string, unknown> | undefined;
  // Iterates over the present keys, not the declared ones: most fields of a large class are absent.
  for (const key of Object.keys(plain)) {
    const raw = (plain as Record<string, unknown>)[key];
    const field = fields.get(key);
    if (field) {
      const value = readValue(field, raw, at(path, key), problems);
      if (value !== undefined) instance[key] = value;
    } else if (rest) (unknown ??= Object.create(null) as Record<string, unknown>)[key] = raw;
    else problems.addUnknown(path, key);
  }
  for (const field of defaults) if (instance[field.name] === undefined) instance[field.name] = defaultOf(field);
  if (rest && unknown) instance[rest] = Object.fromEntries(Object.entries(unknown));
  return instance;
}

/** What parsing needs from a class, computed once. */
interface Shape {
  fields: Map<string, Field>;
  /** The name of the field that collects undeclared keys, null when the class refuses them. */
  rest: string | null;
  defaults: Field[];
  nested: Field[];
  checks: Check[];
}

const shapes = new WeakMap<Class, Shape>();

function shapeOf(cls: Class): Shape {
  const known = shapes.get(cls);
  if (known) return known;
  const fields = fieldsOf(cls);
  const all = [...fields.values()];
  const shape: Shape = {
    fields,
    rest: all.find((field) => field.rest)?.name ?? null,
    defaults: all.filter((field) => field.default !== undefined),
    nested: all.filter(({ type }) => type.nested),
    checks: checksOf(cls),
  };
  shapes.set(cls, shape);
  return shape;
}

const defaultOf = (field: Field): unknown =>
  typeof field.default === 'function' ? (field.default as () => unknown)() : field.default;

/** Returns a parsed value as the client sent it: undeclared keys are properties of the value again. */
export function withoutRest<T extends object>(cls: Class<T>, value: T): Record<string, unknown> {
  const name = shapeOf(cls).rest ?? '';
  // Almost no value has undeclared keys.
  if ((value as Record<string, unknown>)[name] === undefined) return value as Record<string, unknown>;
  const { [name]: rest, ...declared } = value as Record<string, unknown>;
  const undeclared = Object.entries(rest ?? {}).filter(([key]) => !fieldsOf(cls).has(key));
  return { ...Object.fromEntries(undeclared), ...declared };
}

function validateTree(cls: Class, value: unknown, path: Path, problems: Problems): void {
  // A list is an object in JavaScript, but no rule of the class would check it.
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return problems.add(path || 'body', 'must be an object');
  }
  for (const { field, message } of ruleProblems(cls, value)) problems.add(at(path, field), message);
  const { nested, checks: rules } = shapeOf(cls);
  for (const field of nested) {
    const child = (value as Record<string, unknown>)[field.name];
    if (!field.type.nested || child == null || field.type.problem(child) !== undefined) continue;
    const { of, as } = field.type.nested;
    const name = at(path, field.name);
    if (as === 'one') validateTree(of(), child, name, problems);
    else if (as === 'list') {
      const cls = of();
      (child as unknown[]).forEach((item, index) => validateTree(cls, item, itemAt(name, index), problems));
    } else {
      for (const [key, item] of Object.entries(child)) validateTree(of(), item, at(name, key), problems);
    }
  }
  if (problems.found.length > 0) return;
  for (const check of rules) {
    const found = check(value as never);
    if (found) problems.add(at(path, found.field), found.message);
  }
}

/** Parses plain data as an instance of a declared class; throws 400 with at most 50 problems. */
export function parse<T extends object>(cls: Class<T>, plain: unknown, path = '', unknownField?: UnknownField): T {
  const value = read(cls, plain, null, new Problems(1));
  if (value !== undefined) return value;
  // The second pass records the paths of the problems.
  const problems = new Problems(MAX_DETAILS, unknownField);
  read(cls, plain, path, problems);
  throw invalid(problems.found);
}

/** Returns the instance, undefined when problems were found. */
function read<T extends object>(cls: Class<T>, plain: unknown, path: Path, problems: Problems): T | undefined {
  try {
    const value = construct(cls, plain, path, problems);
    validateTree(cls, value, path, problems);
    return problems.found.length === 0 ? (value as T) : undefined;
  } catch (error) {
    if (error !== ENOUGH) throw error;
    return undefined;
  }
}

/** Implemented by a class that parses its text itself instead of as JSON. */
interface ReadsText<T> {
  fromText(text: string): T;
}

/** Parses the text of a call as an instance of the class that its endpoint declares. */
export function parseText<T extends object>(cls: Class<T> & Partial<ReadsText<T>>, text: string): T {
  return cls.fromText ? cls.fromText(text) : parse(cls, JSON.parse(text));
}

/**
 * Converts path or query text to the value its field declares; text that does not fit is left for the rule to refuse.
 */
export function fromText(cls: Class, name: string, text: string | string[]): unknown {
  const type = fieldsOf(cls).get(name)?.type;
  const whole = Array.isArray(text) ? text.join(',') : text;
  return type?.fromText ? type.fromText(whole) : whole;
}
