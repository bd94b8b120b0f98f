import { formOf, type SchemaField } from './schema-fields.js';

const ORDER = {
  type: 'object',
  required: ['number', 'lines'],
  properties: {
    number: { type: 'string', title: 'Order', description: 'As on the bill', pattern: '^[A-Z]-\\d+$' },
    amount: { type: ['number', 'null'], minimum: 1, maximum: 100 },
    lines: { type: 'array', items: { type: 'integer' }, minItems: 1 },
    urgent: { type: 'boolean' },
    state: { enum: ['new', 2, null] },
    tags: { type: 'array', items: { enum: ['a', 'b'] } },
    customer: { $ref: '#/$defs/customer' },
    anything: {},
    rows: { type: 'array', items: { type: 'object' } },
  },
  $defs: { customer: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } },
};

const paths = (field: SchemaField): string[] => [`${field.path} ${field.kind}`, ...field.fields.flatMap(paths)];

describe('the form of a schema', () => {
  const form = formOf(ORDER);

  it('has a field for each simple property, a group for an object, and JSON for everything else', () => {
    expect(paths(form)).toEqual([
      ' group',
      'number text',
      'lines list',
      'amount number',
      'urgent boolean',
      'state choice',
      'tags choices',
      'customer group',
      'customer.name text',
      'anything json',
      'rows json',
    ]);
    expect(form.fields[0]).toMatchObject({ label: 'Order', hint: 'As on the bill', required: true });
    expect(form.fields[2]).toMatchObject({ label: 'amount', required: false });
    expect(formOf({}).kind).toBe('json');
    expect(formOf({ type: 'string' }).kind).toBe('text');
    expect(formOf({ anyOf: [{ type: 'integer' }, { type: 'null' }] }).kind).toBe('number');
    expect(formOf({ anyOf: [{ type: 'integer' }, { type: 'string' }] }).kind).toBe('json');
  });

  it('ends in JSON where a schema contains itself', () => {
    const tree = { properties: { child: { $ref: '#' } } };
    expect(paths(formOf(tree)).pop()).toBe('child.child.child.child json');
  });
});
