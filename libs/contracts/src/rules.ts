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

const compiled = new WeakMap<Class, Rule[]>();

/**
 * The class-validator rules of a class, looked up once. `validateSync` looks them up anew for every value, over the
 * rules of every class there is, which made it the most expensive function of a request.
 */
function rulesOf(cls: Class): Rule[] {
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
  const list = [...rules.values()];
  compiled.set(cls, list);
  return list;
}

/** What the rules of its class say about an instance, with the names of its fields. */
export function ruleProblems(cls: Class, object: object): Detail[] {
  const problems: Detail[] = [];
  for (const { property, constraint, constraints, optional } of rulesOf(cls)) {
    const value: unknown = (object as Record<string, unknown>)[property];
    if (optional && value === undefined) continue;
    const args: ValidationArguments = { targetName: cls.name, property, object, value, constraints };
    if (constraint.validate(value, args) !== true)
      problems.push({ field: property, message: constraint.defaultMessage?.(args) ?? 'is not valid' });
  }
  return problems;
}
