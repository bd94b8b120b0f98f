import { valueAt } from '@signalbox/conditions';

/** Each field comes from its path into the arguments; without a mapping, the input is the argument `input`. */
export function workflowInput(mapping: Readonly<Record<string, string>>, given: Readonly<Record<string, unknown>>) {
  const fields = Object.entries(mapping);
  if (fields.length === 0) return given.input ?? {};
  const mapped = fields.map(([field, path]): [string, unknown] => [field, valueAt(given, path)]);
  return Object.fromEntries(mapped.filter(([, value]) => value !== undefined));
}
