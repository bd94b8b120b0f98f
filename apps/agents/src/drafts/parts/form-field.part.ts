import { partOf } from './ordered-child.js';

export const FORM_FIELDS = partOf(
  'form field',
  'form_fields',
  [
    'field_key',
    'label',
    'field_type',
    'description',
    'required',
    'enum_values',
    'default_value',
    'read_scope',
    'write_scope',
  ],
  {
    search: ['t.field_key', 't.label', 't.description'],
    sort: { field_key: 't.field_key', label: 't.label' },
    uniqueViolations: { form_fields_key: 'a form field of this key exists already on the agent' },
  },
);
