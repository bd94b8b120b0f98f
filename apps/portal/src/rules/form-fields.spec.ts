import type { FormField } from '@signalbox/sdk';
import { stateSchemaOf } from './form-fields.js';
import { formOf } from './schema-fields.js';

const field = (field_key: string, change: Partial<FormField>): FormField => ({
  id: 1,
  agent_id: 1,
  field_key,
  label: field_key.toUpperCase(),
  field_type: 'string',
  description: null,
  required: true,
  enum_values: null,
  default_value: null,
  read_scope: 'all',
  write_scope: 'all',
  position: 0,
  date_created: 0,
  date_updated: 0,
  ...change,
});

it('the form fields of an agent are the fields of a form', () => {
  const schema = stateSchemaOf([
    field('name', { description: 'Of the customer' }),
    field('level', { field_type: 'enum', enum_values: ['low', 'high'], default_value: 'low' }),
    field('born', { field_type: 'date' }),
    field('rows', { field_type: 'array' }),
  ]);
  expect(formOf(schema).fields.map(({ path, label, kind, required }) => [path, label, kind, required])).toEqual([
    ['name', 'NAME', 'text', false],
    ['level', 'LEVEL', 'choice', false],
    ['born', 'BORN', 'text', false],
    ['rows', 'ROWS', 'json', false],
  ]);
});
