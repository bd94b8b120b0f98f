import { getMetadataStorage, type ValidationArguments, type ValidatorConstraintInterface } from 'class-validator';
import type { Detail } from '../errors.js';
import type { Class } from './field-types.js';
import { fieldsOf } from './fields.js';

/** One class-validator rule. */
interface Rule {
  constraint: ValidatorConstraintInterface;
  constraints: unknown[];
}

/** The rules of one property. */
interface Ruled {
  property: string;
  rules: Rule[];
  /** No rule has anything to say of an optional field that is absent. */
  optional: boolean;
}

/** What the rules of a class are about. */
interface Rulebook {
  properties: Map<string, Ruled>;
  /** Those that are judged although they may be absent. */
  required: Ruled[];
}

const compiled = new WeakMap<Class, Rulebook>();

/**
 * The class-validator rules of a class, looked up once. `validateSync` looks them up anew for every value, over the
 * rules of every class there is, which made it the most expensive function of a request.
 */
function rulesOf(cls: Class): Rulebook {
  const known = compiled.get(cls);
  if (known) return known;
  const storage = getMetadataStorage();
  const properties = new Map<string, Ruled & { named: Map<string, Rule> }>();
  const fields = fieldsOf(cls);
  for (const { propertyName: property, constraintCls, constraints } of storage.getTargetValidationMetadatas(
    cls,
    '',
    false,
    false,
  )) {
    const optional = fields.get(property)?.optional ?? false;
    const ruled = properties.get(property) ?? { property, rules: [], optional, named: new Map<string, Rule>() };
    properties.set(property, ruled);
    for (const { name, instance } of storage.getTargetValidatorConstraints(constraintCls))
      ruled.named.set(name, { constraint: instance, constraints: (constraints as unknown[] | undefined) ?? [] });
    ruled.rules = [...ruled.named.values()];
  }
  const rulebook = { properties, required: [...properties.values()].filter(({ optional }) => !optional) };
  compiled.set(cls, rulebook);
  return rulebook;
}

/** What the rules of its class say about an instance, with the names of its fields. */
export function ruleProblems(cls: Class, object: object): Detail[] {
  const { properties, required } = rulesOf(cls);
  const problems: Detail[] = [];
  for (const ruled of required) judge(cls, object, ruled, problems);
  // What is there is judged, not what could be there: most fields of a large class are absent.
  for (const name in object) {
    const ruled = properties.get(name);
    if (ruled?.optional) judge(cls, object, ruled, problems);
  }
  return problems;
}

function judge(cls: Class, object: object, { property, rules, optional }: Ruled, problems: Detail[]): void {
  const value: unknown = (object as Record<string, unknown>)[property];
  if (optional && value === undefined) return;
  for (const { constraint, constraints } of rules) {
    const args: ValidationArguments = { targetName: cls.name, property, object, value, constraints };
    if (constraint.validate(value, args) !== true)
      problems.push({ field: property, message: constraint.defaultMessage?.(args) ?? 'is not valid' });
  }
}
