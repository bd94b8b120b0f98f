import { getMetadataStorage, type ValidationArguments, type ValidatorConstraintInterface } from 'class-validator';
import type { Detail } from '../errors.js';
import type { Class } from './field-types.js';
import { fieldsOf } from './fields.js';

interface Rule {
  constraint: ValidatorConstraintInterface;
  constraints: unknown[];
}

interface PropertyRules {
  property: string;
  rules: Rule[];
  /** Optional: the rules do not run when the field is absent. */
  optional: boolean;
}

interface ClassRules {
  properties: Map<string, PropertyRules>;
  /** Properties whose rules run even when they are absent. */
  required: PropertyRules[];
}

const compiled = new WeakMap<Class, ClassRules>();

/**
 * The class-validator rules of a class, looked up once. `validateSync` searches the rules of all classes for every
 * value, which made it the most expensive function of a request.
 */
function rulesOf(cls: Class): ClassRules {
  const known = compiled.get(cls);
  if (known) return known;
  const storage = getMetadataStorage();
  const properties = new Map<string, PropertyRules & { named: Map<string, Rule> }>();
  const fields = fieldsOf(cls);
  for (const { propertyName: property, constraintCls, constraints } of storage.getTargetValidationMetadatas(
    cls,
    '',
    false,
    false,
  )) {
    const optional = fields.get(property)?.optional ?? false;
    const propertyRules = properties.get(property) ?? { property, rules: [], optional, named: new Map<string, Rule>() };
    properties.set(property, propertyRules);
    for (const { name, instance } of storage.getTargetValidatorConstraints(constraintCls))
      propertyRules.named.set(name, {
        constraint: instance,
        constraints: (constraints as unknown[] | undefined) ?? [],
      });
    propertyRules.rules = [...propertyRules.named.values()];
  }
  const classRules = { properties, required: [...properties.values()].filter(({ optional }) => !optional) };
  compiled.set(cls, classRules);
  return classRules;
}

/** Runs the rules of a class on an instance and returns the problems by field name. */
export function ruleProblems(cls: Class, object: object): Detail[] {
  const { properties, required } = rulesOf(cls);
  const problems: Detail[] = [];
  for (const propertyRules of required) judge(cls, object, propertyRules, problems);
  // Checks the present fields, not all declared ones: most fields of a large class are absent.
  for (const name in object) {
    const propertyRules = properties.get(name);
    if (propertyRules?.optional) judge(cls, object, propertyRules, problems);
  }
  return problems;
}

function judge(cls: Class, object: object, { property, rules, optional }: PropertyRules, problems: Detail[]): void {
  const value: unknown = (object as Record<string, unknown>)[property];
  if (optional && value === undefined) return;
  for (const { constraint, constraints } of rules) {
    const args: ValidationArguments = { targetName: cls.name, property, object, value, constraints };
    if (constraint.validate(value, args) !== true)
      problems.push({ field: property, message: constraint.defaultMessage?.(args) ?? 'is not valid' });
  }
}
