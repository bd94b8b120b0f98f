import { getMetadataStorage, type ValidationArguments, type ValidatorConstraintInterface } from 'class-validator';
import type { Detail } from './errors.js';
import type { Class } from './field-types.js';
import { fieldsOf } from './fields.js';

/** One class-validator rule of one property. */
interface Rule {
  property: string;
  constraint: ValidatorConstraintInterface;
  constraints: unknown[];
  /** No rule has anything to say of an optional field that is absent. */
  optional: boolean;
}

/** The rules of a class, and what is to be asked of an instance without looking at every field it could have. */
interface Rules {
  all: Rule[];
  required: Rule[];
  optional: Map<string, Rule[]>;
}

const compiled = new WeakMap<Class, Rules>();

/**
 * The class-validator rules of a class, looked up once. `validateSync` looks them up anew for every value, over the
 * rules of every class there is, which made it the most expensive function of a request.
 */
function rulesOf(cls: Class): Rules {
  const known = compiled.get(cls);
  if (known) return known;
  const storage = getMetadataStorage();
  const rules = new Map<string, Rule>();
  const fields = fieldsOf(cls);
  for (const metadata of storage.getTargetValidationMetadatas(cls, '', false, false)) {
    for (const { name, instance } of storage.getTargetValidatorConstraints(metadata.constraintCls))
      rules.set(`${metadata.propertyName} ${name}`, {
        property: metadata.propertyName,
        constraint: instance,
        constraints: (metadata.constraints as unknown[] | undefined) ?? [],
        optional: fields.get(metadata.propertyName)?.optional ?? false,
      });
  }
  const all = [...rules.values()];
  const required = all.filter(({ optional }) => !optional);
  const optional = new Map<string, Rule[]>();
  for (const rule of all)
    if (rule.optional) optional.set(rule.property, [...(optional.get(rule.property) ?? []), rule]);
  const made = { all, required, optional };
  compiled.set(cls, made);
  return made;
}

function holds({ property, constraint, constraints }: Rule, cls: Class, object: object): boolean {
  const value: unknown = (object as Record<string, unknown>)[property];
  return constraint.validate(value, { targetName: cls.name, property, object, value, constraints }) === true;
}

/** Whether an instance breaks none of the rules of its class. */
export function keepsRules(cls: Class, object: object): boolean {
  const { required, optional } = rulesOf(cls);
  for (const rule of required) if (!holds(rule, cls, object)) return false;
  if (optional.size === 0) return true;
  for (const key of Object.keys(object)) {
    if ((object as Record<string, unknown>)[key] === undefined) continue;
    for (const rule of optional.get(key) ?? []) if (!holds(rule, cls, object)) return false;
  }
  return true;
}

/** What the rules of its class say about an instance, with the names of its fields. */
export function ruleProblems(cls: Class, object: object): Detail[] {
  const problems: Detail[] = [];
  for (const { property, constraint, constraints, optional } of rulesOf(cls).all) {
    const value: unknown = (object as Record<string, unknown>)[property];
    if (optional && value === undefined) continue;
    const args: ValidationArguments = { targetName: cls.name, property, object, value, constraints };
    if (constraint.validate(value, args) !== true)
      problems.push({ field: property, message: constraint.defaultMessage?.(args) ?? 'is not valid' });
  }
  return problems;
}
