import type { FormField } from '@signalbox/sdk';
import type { Schema } from './schema-fields.js';

function schemaOf({ field_type, enum_values, label, description, default_value }: FormField): Schema {
  const shared = {
    title: label,
    ...(description === null ? {} : { description }),
    ...(default_value === null ? {} : { default: default_value }),
  };
  if (field_type === 'enum') return { ...shared, enum: enum_values ?? [] };
  if (field_type === 'date') return { ...shared, type: 'string', format: 'date' };
  return { ...shared, type: field_type };
}

export const stateSchemaOf = (fields: readonly FormField[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(fields.map((field) => [field.field_key, schemaOf(field)])),
});
