import { begunWith, changeOf, errorsOf, schemaOf } from './item-form.js';
import { formOf } from './schema-fields.js';
import { enteredOf, valueOf } from './schema-values.js';

const fields = {
  name: { type: 'string', title: 'Name' },
  group_id: { type: 'integer' },
  tags: { type: 'array', items: { type: 'string' } },
  sets: { type: 'array' },
  config: { type: 'object', properties: { model: { type: 'string' } } },
};

describe('the form of a declared page', () => {
  it('names what can be chosen, one or several', () => {
    const form = formOf(schemaOf(fields, ['name'], { group_id: [[3, 'Refunds']], sets: [[1, 'First']] }));
    const [name, group, , sets] = form.fields;
    expect(name).toMatchObject({ path: 'name', required: true, kind: 'text' });
    expect(group).toMatchObject({ kind: 'choice', choices: ['3'], names: ['Refunds'] });
    expect(sets).toMatchObject({ kind: 'choices', choices: ['1'], names: ['First'] });
  });

  it('sends what was changed, and null or an empty list for what was emptied', () => {
    const before = { name: 'A', description: 'x', tags: ['a'], split: 0.1, none: null, empty: [] };
    const names = Object.keys(before);
    expect(changeOf(names, before, { name: 'A', description: 'x', tags: ['a'], split: 0.1 })).toEqual({});
    expect(changeOf(names, before, { name: 'B', none: 1, empty: [] })).toEqual({
      name: 'B',
      description: null,
      tags: [],
      split: null,
      none: 1,
    });
  });

  it('takes no field that was not touched for a change, whatever its text has lost', () => {
    const form = formOf(schemaOf(fields, []));
    const given = { tags: ['\n', '\n\nHuman:'], name: 'A', group_id: 3, config: { model: 'm', seed: 1 } };
    const begun = begunWith(form, given);
    const changed = (entries: Record<string, string>) => {
      const { value } = valueOf(form, { ...enteredOf(form, given), ...entries });
      return changeOf(Object.keys(fields), begun, value as Record<string, unknown>);
    };
    expect(changed({})).toEqual({});
    expect(changed({ name: 'B' })).toEqual({ name: 'B' });
    expect(changed({ tags: 'x' })).toEqual({ tags: ['x'] });
    expect(changed({ tags: '', name: '' })).toEqual({ tags: [], name: null });
  });

  it('puts what the API refuses at its field, and leaves what belongs to none', () => {
    const form = formOf(schemaOf(fields, []));
    expect(errorsOf(form, [{ field: 'name', message: 'is taken' }])).toEqual({ name: 'is taken' });
    expect(errorsOf(form, [{ field: 'tags.1', message: 'is empty' }])).toEqual({ tags: 'is empty (tags.1)' });
    expect(errorsOf(form, [{ field: 'config.model', message: 'is unknown' }])).toEqual({
      'config.model': 'is unknown',
    });
    expect(errorsOf(form, [{ field: 'other', message: 'is needed' }])).toBeUndefined();
    expect(errorsOf(form, [])).toBeUndefined();
  });
});
