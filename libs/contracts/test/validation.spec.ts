import assert from 'node:assert/strict';
import { validateSync } from 'class-validator';
import {
  ApiError,
  type Class,
  CONTRACTS,
  EVENTS,
  type Field,
  fieldsOf,
  SERVICE_CONTRACTS,
  parse,
} from '@signalbox/contracts';
import { objectValue, mutatedInput } from '@signalbox/testing/fuzz';
import fc from 'fast-check';
import { checksOf } from '../src/fields/checks.js';

const RUNS = 40;

/** Every class that a contract or an event takes, with the path under which it is named first. */
function inputClasses(): [string, Class][] {
  const found = new Map<Class, string>();
  for (const { endpoints } of [...CONTRACTS, ...SERVICE_CONTRACTS])
    for (const { contract, name, input } of Object.values(endpoints))
      if (!found.has(input)) found.set(input, `${contract}.${name}`);
  for (const { declared } of EVENTS)
    for (const [name, { data }] of Object.entries(declared)) if (!found.has(data)) found.set(data, name);
  return [...found].map(([cls, name]) => [name, cls]);
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * What class-validator itself says of an input, field by field: an instance is built without any of the shortcuts of
 * `parse`, and `validateSync` checks each object of the tree.
 */
class Reference {
  /** Fields that class-validator refuses, unknown keys and what should be objects. */
  readonly refused: string[] = [];
  /** Fields that a rule over several fields of one object refuses; whether it runs depends on the faults before it. */
  readonly refusedTogether: string[] = [];

  read(cls: Class, plain: unknown, path = ''): unknown {
    if (!isPlain(plain)) {
      this.refused.push(path || 'body');
      return plain;
    }
    const before = this.refused.length;
    const at = (name: string): string => (path ? `${path}.${name}` : name);
    const instance = this.instanceOf(cls, plain, at);
    const bad = new Set(validateSync(instance, { forbidUnknownValues: false }).map(({ property }) => property));
    this.refused.push(...[...bad].map(at));
    for (const field of fieldsOf(cls).values())
      if (!bad.has(field.name)) instance[field.name] = this.below(field, instance[field.name], at(field.name));
    if (this.refused.length === before)
      for (const check of checksOf(cls)) {
        const found = check(instance as never);
        if (found) this.refusedTogether.push(at(found.field));
      }
    return instance;
  }

  private instanceOf(
    cls: Class,
    plain: Record<string, unknown>,
    at: (name: string) => string,
  ): Record<string, unknown> {
    const fields = fieldsOf(cls);
    const rest = [...fields.values()].find((field) => field.rest)?.name;
    const undeclared: Record<string, unknown> = {};
    const instance = new cls() as Record<string, unknown>;
    for (const [key, raw] of Object.entries(plain)) {
      const field = fields.get(key);
      if (field) instance[key] = field.type.normalise && raw != null ? field.type.normalise(raw) : raw;
      else if (rest !== undefined) undeclared[key] = raw;
      // `constructor` on an instance would hide its class from class-validator, so its whitelist cannot be used.
      else this.refused.push(at(key));
    }
    if (rest !== undefined && Object.keys(undeclared).length > 0) instance[rest] = undeclared;
    for (const { name, default: given } of fields.values())
      if (instance[name] === undefined && given !== undefined)
        instance[name] = typeof given === 'function' ? (given as () => unknown)() : given;
    return instance;
  }

  private below({ type: { nested } }: Field, value: unknown, path: string): unknown {
    if (!nested || value == null) return value;
    if (nested.as === 'one') return this.read(nested.of(), value, path);
    if (nested.as === 'list')
      return (value as unknown[]).map((item, index) => this.read(nested.of(), item, `${path}[${index}]`));
    const entries = Object.entries(value).map(([key, item]) => [key, this.read(nested.of(), item, `${path}.${key}`)]);
    return Object.fromEntries(entries) as unknown;
  }
}

/** The fields that `parse` refuses; null when it has met so many that it stopped reading. */
function faultsByParse(cls: Class, plain: unknown): string[] | null {
  try {
    parse(cls, plain);
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const details = error.extras.details ?? [];
    return details.length >= 50 ? null : details.map(({ field }) => field);
  }
}

const sorted = (fields: readonly string[]): string[] => [...new Set(fields)].sort();

/** Values just at and beyond the bounds of a field. */
function boundsOf({ type }: Field): unknown[] {
  const { minimum, maximum, minLength, maxLength } = type.schema() as Record<string, number | undefined>;
  const numbers = [minimum, maximum].filter((bound) => bound !== undefined);
  const lengths = [minLength, maxLength].filter(
    (bound) => bound !== undefined && bound > 0 && bound <= 1000,
  ) as number[];
  return [
    ...numbers.flatMap((bound) => [bound - 1, bound, bound + 1, bound + 0.5]),
    ...lengths
      .flatMap((length) => [length - 1, length, length + 1])
      .flatMap((length) => ['a'.repeat(length), '😀'.repeat(length)]),
  ];
}

/** Inputs of a class as it declares them, and others with fields that are spoilt, absent, unknown or at their bounds. */
function inputsOf(cls: Class): fc.Arbitrary<unknown> {
  const fields = [...fieldsOf(cls).values()];
  const atBounds = fields.flatMap((field) => boundsOf(field).map((value): [string, unknown] => [field.name, value]));
  const valid = objectValue(cls);
  return fc.oneof(
    { weight: 8, arbitrary: valid },
    { weight: 8, arbitrary: valid.chain((base) => mutatedInput(cls, base)) },
    { weight: 1, arbitrary: fc.jsonValue() },
    ...(atBounds.length > 0
      ? [
          {
            weight: 6,
            arbitrary: fc
              .tuple(valid, fc.constantFrom(...atBounds))
              .map(([base, [name, value]]) => ({ ...base, [name]: value })),
          },
        ]
      : []),
  );
}

describe('the compiled rules', () => {
  const classes = inputClasses();
  const seen = { valid: 0, invalid: 0 };

  it.each(classes)('refuse the same fields as class-validator: %s', (_name, cls) => {
    fc.assert(
      fc.property(inputsOf(cls), (plain) => {
        const byParse = faultsByParse(cls, plain);
        const reference = new Reference();
        reference.read(cls, plain);
        const { refused, refusedTogether } = reference;
        const all = new Set([...refused, ...refusedTogether]);
        if (byParse === null) return;
        seen[all.size === 0 ? 'valid' : 'invalid']++;
        const together = new Set(refusedTogether);
        const alone = (fields: readonly string[]): string =>
          sorted(fields.filter((field) => !together.has(field))).join();
        // `expect` creates an error for each comparison, of which there are 16,000.
        assert.equal(alone(byParse), alone(refused));
        assert.equal(byParse.length > 0, all.size > 0);
      }),
      { numRuns: RUNS },
    );
  });

  it('were compared over valid and invalid inputs of every class', () => {
    expect(classes.length).toBeGreaterThan(120);
    expect(seen.valid).toBeGreaterThan(classes.length * 5);
    expect(seen.invalid).toBeGreaterThan(classes.length * 5);
  });
});

it('values of secrets are bounded in bytes wherever they are given', () => {
  const given = CONTRACTS.flatMap(({ endpoints }) => Object.values(endpoints)).flatMap(({ path, name, input }) => {
    const field = fieldsOf(input).get('secrets');
    return path === null || !field ? [] : [{ name, field }];
  });
  expect(given.length).toBeGreaterThan(5);
  for (const { name, field } of given) {
    expect([name, field.type.problem({ NAME: 'ä'.repeat(4096) })]).toEqual([name, undefined]);
    expect([name, field.type.problem({ NAME: 'ä'.repeat(4097) })]).toEqual([name, expect.anything()]);
  }
});
