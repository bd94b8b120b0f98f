import { type Detail, type FormField, invalid, invalidField, isJsonObject } from '@signalbox/contracts';

type Declared = Pick<
  FormField,
  'field_key' | 'field_type' | 'enum_values' | 'required' | 'read_scope' | 'write_scope' | 'default_value'
>;

export type FieldBody = Omit<FormField, 'id' | 'agent_id' | 'position' | 'date_created' | 'date_updated'>;

export type StateAccessor = 'self' | 'child';

const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/;
const isDate = (value: unknown): boolean =>
  typeof value === 'string' && DATE.test(value) && !Number.isNaN(Date.parse(value));

/** As the predicate of an error message; null clears a field and is always valid. */
export function valueProblem(
  { field_type, enum_values }: Pick<Declared, 'field_type' | 'enum_values'>,
  value: unknown,
): string | undefined {
  if (value === null) return undefined;
  switch (field_type) {
    case 'string':
      return typeof value === 'string' ? undefined : 'must be a string';
    case 'number':
      return typeof value === 'number' ? undefined : 'must be a number';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'date':
      return isDate(value) ? undefined : 'must be an ISO 8601 date';
    case 'enum':
      return enum_values?.includes(value as string) ? undefined : `must be one of ${enum_values?.join(', ')}`;
    case 'object':
      return isJsonObject(value) ? undefined : 'must be an object';
    case 'array':
      return Array.isArray(value) ? undefined : 'must be a list';
  }
}

export function checkField(field: Declared): void {
  if (field.field_type === 'enum' && !field.enum_values?.length)
    throw invalidField('enum_values', 'is required when field_type is enum');
  const problem = field.default_value == null ? undefined : valueProblem(field, field.default_value);
  if (problem) throw invalidField('default_value', problem);
}

/** 400 naming each unknown, invalid or forbidden key. Without declared fields any key is kept. */
export function changeState(
  fields: readonly Declared[],
  state: Readonly<Record<string, unknown>>,
  change: Readonly<Record<string, unknown>>,
  by: StateAccessor = 'self',
): Record<string, unknown> {
  const problems: Detail[] = [];
  for (const [key, value] of Object.entries(change)) {
    const field = fields.find((known) => known.field_key === key);
    const problem =
      fields.length === 0
        ? undefined
        : !field
          ? 'is not a form field of the agent'
          : by === 'child' && field.write_scope === 'self'
            ? 'may be written by the agent itself only'
            : valueProblem(field, value);
    if (problem) problems.push({ field: `state.${key.slice(0, 100)}`, message: problem });
  }
  if (problems.length > 0) throw invalid(problems);
  return { ...state, ...change };
}

export function visibleState(
  fields: readonly Declared[],
  state: Readonly<Record<string, unknown>>,
  by: StateAccessor,
): Record<string, unknown> {
  const hidden = new Set(
    fields.filter((field) => by === 'child' && field.read_scope === 'self').map((field) => field.field_key),
  );
  return Object.fromEntries(Object.entries(state).filter(([key]) => !hidden.has(key)));
}

export function initialState(fields: readonly Declared[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.filter((field) => field.default_value != null).map((field) => [field.field_key, field.default_value]),
  );
}
