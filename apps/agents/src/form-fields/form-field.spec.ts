import type { FormField } from '@signalbox/contracts';
import { changeState, checkField, initialState, valueProblem, visibleState } from './form-field.js';

const field = (change: Partial<FormField>) =>
  ({
    field_key: 'f',
    field_type: 'string',
    enum_values: null,
    required: false,
    read_scope: 'all',
    write_scope: 'all',
    default_value: null,
    ...change,
  }) as FormField;

describe('a form field', () => {
  it.each([
    ['string', 'a', 1],
    ['number', 1.5, '1'],
    ['boolean', false, 0],
    ['date', '2026-11-20', '20.11.2026'],
    ['date', '2026-11-20T10:00:00Z', '2026-13-40'],
    ['object', { a: 1 }, [1]],
    ['array', [1], { a: 1 }],
    ['enum', 'red', 'blue'],
  ] as const)('%s accepts %j and refuses %j', (field_type, good, bad) => {
    const declared = field({ field_type, enum_values: ['red'] });
    expect(valueProblem(declared, good)).toBeUndefined();
    expect(valueProblem(declared, bad)).toMatch(/^must/);
    expect(valueProblem(declared, null)).toBeUndefined();
  });

  it('requires values for an enum, and a default value that is valid', () => {
    expect(() => checkField(field({ field_type: 'enum' }))).toThrow(expect.objectContaining({ status: 400 }));
    expect(() => checkField(field({ default_value: 3 }))).toThrow(expect.objectContaining({ status: 400 }));
    expect(() => checkField(field({ default_value: 'x' }))).not.toThrow();
  });
});

describe('the state of a session', () => {
  const fields = [field({ field_key: 'name' }), field({ field_key: 'note', read_scope: 'self', write_scope: 'self' })];

  it('keeps the keys that a change does not name', () => {
    expect(changeState(fields, { name: 'a', note: 'n' }, { name: 'b' })).toEqual({ name: 'b', note: 'n' });
  });

  it('refuses unknown keys and invalid values', () => {
    expect(() => changeState(fields, {}, { nick: 'a' })).toThrow(expect.objectContaining({ status: 400 }));
    expect(() => changeState(fields, {}, { name: 1 })).toThrow(expect.objectContaining({ status: 400 }));
    expect(changeState([], {}, { anything: 1 })).toEqual({ anything: 1 });
  });

  it('keeps a field of scope self from sub-agents', () => {
    expect(() => changeState(fields, {}, { note: 'x' }, 'child')).toThrow(expect.objectContaining({ status: 400 }));
    expect(changeState(fields, {}, { note: 'x' }, 'self')).toEqual({ note: 'x' });
    expect(visibleState(fields, { name: 'a', note: 'n' }, 'child')).toEqual({ name: 'a' });
    expect(visibleState(fields, { name: 'a', note: 'n' }, 'self')).toEqual({ name: 'a', note: 'n' });
  });

  it('begins with the defaults', () => {
    expect(initialState([field({ default_value: 'd' }), field({ field_key: 'g' })])).toEqual({ f: 'd' });
  });
});
