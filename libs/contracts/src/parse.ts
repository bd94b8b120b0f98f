import { checksOf } from './checks.js';
import { type Detail, invalid } from './errors.js';
import type { Class } from './field-types.js';
import { type Field, fieldsOf } from './fields.js';
import { ruleProblems } from './rules.js';

const at = (path: string, name: string): string => (path ? `${path}.${name}` : name);

function readNested(field: Field, value: unknown, path: string, problems: Detail[]): unknown {
  const { of, as } = field.type.nested ?? { of: () => Object as unknown as Class, as: 'one' };
  if (as === 'list') {
    if (!Array.isArray(value)) return value;
    return value.map((item, index) => construct(of(), item, `${path}[${index}]`, problems));
  }
  if (as === 'map') {
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, construct(of(), item, at(path, key), problems)]),
    );
  }
  return construct(of(), value, path, problems);
}

function readValue(field: Field, raw: unknown, path: string, problems: Detail[]): unknown {
  if (raw === undefined) {
    return typeof field.default === 'function' ? (field.default as () => unknown)() : field.default;
  }
  if (raw === null) return raw;
  const value = field.type.normalise ? field.type.normalise(raw) : raw;
  return field.type.nested ? readNested(field, value, path, problems) : value;
}

/** Builds an instance from plain data; unknown keys are problems, bad values are left for the rules to find. */
function construct(cls: Class, plain: unknown, path: string, problems: Detail[]): unknown {
  if (typeof plain !== 'object' || plain === null || Array.isArray(plain)) return plain;
  const fields = fieldsOf(cls);
  const rest = restOf(cls);
  const unknown = Object.keys(plain).filter((key) => !fields.has(key));
  for (const key of rest ? [] : unknown) {
    problems.push({ field: at(path, key).slice(0, 200), message: 'is not a known field' });
  }
  const instance = Object.create(cls.prototype as object) as Record<string, unknown>;
  for (const field of fields.values()) {
    const raw = Object.hasOwn(plain, field.name) ? (plain as Record<string, unknown>)[field.name] : undefined;
    const value = readValue(field, raw, at(path, field.name), problems);
    if (value !== undefined) instance[field.name] = value;
  }
  if (rest && unknown.length > 0)
    instance[rest] = Object.fromEntries(unknown.map((key) => [key, (plain as Record<string, unknown>)[key]]));
  return instance;
}

const rests = new WeakMap<Class, string | null>();

/** The name of the field that takes undeclared keys, null when the class refuses them. */
function restOf(cls: Class): string | null {
  let name = rests.get(cls);
  if (name === undefined) {
    name = [...fieldsOf(cls).values()].find((field) => field.rest)?.name ?? null;
    rests.set(cls, name);
  }
  return name;
}

/** A parsed value as its sender wrote it: what the field for undeclared keys has taken stands beside the others again. */
export function withoutRest<T extends object>(cls: Class<T>, value: T): Record<string, unknown> {
  const name = restOf(cls) ?? '';
  const { [name]: rest, ...declared } = value as Record<string, unknown>;
  const undeclared = Object.entries(rest ?? {}).filter(([key]) => !fieldsOf(cls).has(key));
  return { ...Object.fromEntries(undeclared), ...declared };
}

function validateTree(cls: Class, value: unknown, path: string, problems: Detail[]): void {
  // A list is an object to JavaScript; no rule of the class would ever look at it.
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.push({ field: path || 'body', message: 'must be an object' });
    return;
  }
  for (const problem of ruleProblems(cls, value)) problems.push({ ...problem, field: at(path, problem.field) });
  for (const field of fieldsOf(cls).values()) {
    const child = (value as Record<string, unknown>)[field.name];
    if (!field.type.nested || child == null) continue;
    const { of, as } = field.type.nested;
    const name = at(path, field.name);
    if (as === 'one') {
      if (field.type.problem(child) === undefined) validateTree(of(), child, name, problems);
    } else if (typeof child === 'object') {
      for (const [key, item] of Object.entries(child))
        validateTree(of(), item, as === 'list' ? `${name}[${key}]` : at(name, key), problems);
    }
  }
  if (problems.length > 0) return;
  for (const check of checksOf(cls)) {
    const found = check(value as never);
    if (found) problems.push({ field: at(path, found.field), message: found.message });
  }
}

const MAX_DETAILS = 50;

/** Plain data as an instance of a declared class; throws 400 with every problem found. */
export function parse<T extends object>(cls: Class<T>, plain: unknown, path = ''): T {
  const problems: Detail[] = [];
  const value = construct(cls, plain, path, problems);
  validateTree(cls, value, path, problems);
  if (problems.length > 0) throw invalid(problems.slice(0, MAX_DETAILS));
  return value as T;
}

/** Text of a path or query as the value its field declares; what does not fit is left for the rule to refuse. */
export function fromText(cls: Class, name: string, text: string | string[]): unknown {
  const type = fieldsOf(cls).get(name)?.type;
  const whole = Array.isArray(text) ? text.join(',') : text;
  return type?.fromText ? type.fromText(whole) : whole;
}
