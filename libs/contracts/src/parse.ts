import { type Check, checksOf } from './checks.js';
import { type Detail, invalid } from './errors.js';
import type { Class } from './field-types.js';
import { type Field, fieldsOf } from './fields.js';
import { ruleProblems } from './rules.js';

/** Where a value stands; null while nobody wants to know, for nearly every input is good. */
type Path = string | null;

const at = (path: Path, name: string): Path => (path ? `${path}.${name}` : path === null ? null : name);
const itemAt = (path: Path, index: number): Path => (path === null ? null : `${path}[${index}]`);

function readNested(field: Field, value: unknown, path: Path, problems: Detail[]): unknown {
  const { of, as } = field.type.nested ?? { of: () => Object as unknown as Class, as: 'one' };
  if (as === 'list') {
    if (!Array.isArray(value)) return value;
    return value.map((item, index) => construct(of(), item, itemAt(path, index), problems));
  }
  if (as === 'map') {
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, construct(of(), item, at(path, key), problems)]),
    );
  }
  return construct(of(), value, path, problems);
}

function readValue(field: Field, raw: unknown, path: Path, problems: Detail[]): unknown {
  // An absent field gets its default when the rest has been read.
  if (raw === undefined || raw === null) return raw;
  const value = field.type.normalise ? field.type.normalise(raw) : raw;
  return field.type.nested ? readNested(field, value, path, problems) : value;
}

/** Builds an instance from plain data; unknown keys are problems, bad values are left for the rules to find. */
function construct(cls: Class, plain: unknown, path: Path, problems: Detail[]): unknown {
  if (typeof plain !== 'object' || plain === null || Array.isArray(plain)) return plain;
  const { fields, rest, defaults } = shapeOf(cls);
  const instance = Object.create(cls.prototype as object) as Record<string, unknown>;
  let unknown: Record<string, unknown> | undefined;
  // What is there is read, not what could be there: most fields of a large class are absent.
  for (const key of Object.keys(plain)) {
    const raw = (plain as Record<string, unknown>)[key];
    const field = fields.get(key);
    if (field) {
      const value = readValue(field, raw, at(path, key), problems);
      if (value !== undefined) instance[key] = value;
    } else if (rest) (unknown ??= Object.create(null) as Record<string, unknown>)[key] = raw;
    else problems.push({ field: (at(path, key) ?? '').slice(0, 200), message: 'is not a known field' });
  }
  for (const field of defaults) if (instance[field.name] === undefined) instance[field.name] = defaultOf(field);
  if (rest && unknown) instance[rest] = Object.fromEntries(Object.entries(unknown));
  return instance;
}

/** What parsing has to know of a class, worked out once. */
interface Shape {
  fields: Map<string, Field>;
  /** The name of the field that takes undeclared keys, null when the class refuses them. */
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

/** A parsed value as its sender wrote it: what the field for undeclared keys has taken stands beside the others again. */
export function withoutRest<T extends object>(cls: Class<T>, value: T): Record<string, unknown> {
  const name = shapeOf(cls).rest ?? '';
  // Nearly no value has any.
  if ((value as Record<string, unknown>)[name] === undefined) return value as Record<string, unknown>;
  const { [name]: rest, ...declared } = value as Record<string, unknown>;
  const undeclared = Object.entries(rest ?? {}).filter(([key]) => !fieldsOf(cls).has(key));
  return { ...Object.fromEntries(undeclared), ...declared };
}

function validateTree(cls: Class, value: unknown, path: Path, problems: Detail[]): void {
  // A list is an object to JavaScript; no rule of the class would ever look at it.
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.push({ field: path || 'body', message: 'must be an object' });
    return;
  }
  for (const problem of ruleProblems(cls, value)) problems.push({ ...problem, field: at(path, problem.field) ?? '' });
  const { nested, checks: rules } = shapeOf(cls);
  for (const field of nested) {
    const child = (value as Record<string, unknown>)[field.name];
    if (!field.type.nested || child == null) continue;
    const { of, as } = field.type.nested;
    const name = at(path, field.name);
    if (as === 'one') {
      if (field.type.problem(child) === undefined) validateTree(of(), child, name, problems);
    } else if (Array.isArray(child)) {
      const cls = of();
      child.forEach((item, index) => validateTree(cls, item, itemAt(name, index), problems));
    } else if (typeof child === 'object') {
      for (const [key, item] of Object.entries(child)) validateTree(of(), item, at(name, key), problems);
    }
  }
  if (problems.length > 0) return;
  for (const check of rules) {
    const found = check(value as never);
    if (found) problems.push({ field: at(path, found.field) ?? '', message: found.message });
  }
}

const MAX_DETAILS = 50;

/** Plain data as an instance of a declared class; throws 400 with every problem found. */
export function parse<T extends object>(cls: Class<T>, plain: unknown, path = ''): T {
  const problems: Detail[] = [];
  const value = read(cls, plain, null, problems);
  if (problems.length === 0) return value;
  // Something is wrong: it is read once more to say where.
  const found: Detail[] = [];
  read(cls, plain, path, found);
  throw invalid(found.slice(0, MAX_DETAILS));
}

function read<T extends object>(cls: Class<T>, plain: unknown, path: Path, problems: Detail[]): T {
  const value = construct(cls, plain, path, problems);
  validateTree(cls, value, path, problems);
  return value as T;
}

/** Set by a class whose text is not read as JSON first. */
interface ReadsText<T> {
  fromText(text: string): T;
}

/** The text of a call as an instance of the class that its endpoint declares. */
export function parseText<T extends object>(cls: Class<T> & Partial<ReadsText<T>>, text: string): T {
  return cls.fromText ? cls.fromText(text) : parse(cls, JSON.parse(text));
}

/** Text of a path or query as the value its field declares; what does not fit is left for the rule to refuse. */
export function fromText(cls: Class, name: string, text: string | string[]): unknown {
  const type = fieldsOf(cls).get(name)?.type;
  const whole = Array.isArray(text) ? text.join(',') : text;
  return type?.fromText ? type.fromText(whole) : whole;
}
