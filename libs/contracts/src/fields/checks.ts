import type { Detail } from '../errors.js';
import type { Class } from './field-types.js';

/** A rule over several fields of one input; returns the offending field and its problem. */
export type Check = (input: never) => Detail | undefined;

const declared = new WeakMap<Class, Check[]>();

/** Declares a rule over several fields of a class; it runs after every single field is valid. */
export function Checked<T extends object>(check: (input: T) => Detail | undefined) {
  return (cls: Class<T>): void => addChecks(cls, [check as Check]);
}

/** At most one of these fields may be given. */
export function AtMostOne(...names: string[]) {
  return Checked<object>((input) => {
    const given = names.filter((name) => (input as Record<string, unknown>)[name] != null);
    return given.length > 1 ? { field: given[1] ?? '', message: `cannot be combined with ${given[0]}` } : undefined;
  });
}

/** Adds the rules that a class does not have yet. */
export function addChecks(cls: Class, checks: readonly Check[]): void {
  declared.set(cls, [...new Set([...(declared.get(cls) ?? []), ...checks])]);
}

/** The rules of a class and its base classes, its own first. */
export function checksOf(cls: Class): Check[] {
  const found = new Set<Check>();
  for (let at: Class | null = cls; at?.prototype; at = Object.getPrototypeOf(at) as Class | null)
    for (const check of declared.get(at) ?? []) found.add(check);
  return [...found];
}
