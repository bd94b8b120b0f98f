import { formOf } from './schema-fields.js';
import { canShow, enteredOf, valueOf } from './schema-values.js';

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

describe('the value of a form', () => {
  const form = formOf(ORDER);

  it('becomes a value of the right types, without what is empty', () => {
    const entered = {
      number: 'A-1',
      amount: '2.5',
      lines: '1\n\n 2',
      urgent: true,
      state: '2',
      tags: ['"b"'],
      'customer.name': 'Ada',
      anything: '[1]',
    };
    expect(valueOf(form, entered)).toEqual({
      value: {
        number: 'A-1',
        amount: 2.5,
        lines: [1, 2],
        urgent: true,
        state: 2,
        tags: ['b'],
        customer: { name: 'Ada' },
        anything: [1],
      },
      errors: {},
    });
    expect(valueOf(formOf({ required: ['on'], properties: { on: { type: 'boolean' } } }), {}).value).toEqual({
      on: false,
    });
    expect(valueOf(formOf({ properties: { a: { type: 'string' } } }), {}).value).toEqual({});
  });

  it.each([
    [{ lines: '1' }, { number: 'is needed' }],
    [{ number: 'x', lines: '1' }, { number: 'does not fit ^[A-Z]-\\d+$' }],
    [{ number: 'A-1' }, { lines: 'has at least 1 item' }],
    [{ number: 'A-1', lines: '1.5' }, { lines: 'is a whole number' }],
    [{ number: 'A-1', lines: '1', amount: 'x' }, { amount: '«x» is not a number' }],
    [{ number: 'A-1', lines: '1', amount: '0' }, { amount: 'is at least 1' }],
    [{ number: 'A-1', lines: '1', amount: '101' }, { amount: 'is at most 100' }],
  ])('says next to the field what is wrong: %j', (entered, errors) =>
    expect(valueOf(form, entered as Record<string, string>).errors).toEqual(errors),
  );

  it('says why a text is not JSON', () => {
    const { errors } = valueOf(form, { number: 'A-1', lines: '1', anything: '{' });
    expect(errors.anything).toMatch(/^is not JSON: ./);
  });

  it('needs the fields of a group only when something is in it', () => {
    const inner = {
      properties: { a: { required: ['x'], properties: { x: { type: 'string' }, y: { type: 'string' } } } },
    };
    expect(valueOf(formOf(inner), {}).errors).toEqual({});
    expect(valueOf(formOf(inner), { 'a.y': '1' }).errors).toEqual({ 'a.x': 'is needed' });
  });

  it('shows a value, and the defaults of the schema', () => {
    const schema = { properties: { name: { type: 'string', default: 'Ada' }, n: { type: 'integer', default: 3 } } };
    expect(enteredOf(formOf(schema))).toEqual({ name: 'Ada', n: '3' });
    const value = { number: 'A-1', lines: [1, 2], state: null, tags: ['a'], customer: { name: 'x' }, rows: [{}] };
    expect(valueOf(form, enteredOf(form, value)).value).toEqual(value);
    expect(canShow(form, value)).toBe(true);
    expect(canShow(form, { ...value, unknown: 1 })).toBe(false);
  });
});
