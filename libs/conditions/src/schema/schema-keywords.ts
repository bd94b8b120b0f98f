/** The other forms of a schema are `true` and `false`. */
export type Schema = Record<string, unknown>;

const SCHEMAS = new Set([
  'additionalItems',
  'additionalProperties',
  'allOf',
  'anyOf',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'oneOf',
  'prefixItems',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
const NAMED_SCHEMAS = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);

/** Written out, because threads load this file but not the contracts. */
export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Without constants that look like a schema. */
export function subschemasOf(schema: Schema): Schema[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (SCHEMAS.has(keyword)) return (Array.isArray(value) ? (value as unknown[]) : [value]).filter(isSchema);
    return NAMED_SCHEMAS.has(keyword) && isSchema(value) ? Object.values(value).filter(isSchema) : [];
  });
}

export function withSubschemas(schema: Schema, replaced: (child: Schema) => unknown): Schema {
  const one = (value: unknown): unknown => (isSchema(value) ? replaced(value) : value);
  const entries = Object.entries(schema).map(([keyword, value]) => {
    if (SCHEMAS.has(keyword)) return [keyword, Array.isArray(value) ? value.map(one) : one(value)];
    if (!NAMED_SCHEMAS.has(keyword) || !isSchema(value)) return [keyword, value];
    return [keyword, Object.fromEntries(Object.entries(value).map(([name, child]) => [name, one(child)]))];
  });
  return Object.fromEntries(entries) as Schema;
}
