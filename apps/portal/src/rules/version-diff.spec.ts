import { differencesOf } from './version-diff.js';

const NONE = { from_version: '1.0.0', to_version: '1.1.0', has_changes: true };

describe('the differences of two versions', () => {
  it('are the fields with both values, in one line each', () => {
    const changes = { system_prompt: { from: 'a b', to: null }, temperature: { from: 0, to: 1 } };
    expect(differencesOf({ ...NONE, changes })).toEqual([
      { what: 'system prompt', from: 'a b', to: '–' },
      { what: 'temperature', from: '0', to: '1' },
    ]);
  });

  it('are whole where one line cannot show them', () => {
    const long = 'word '.repeat(100);
    const changes = {
      script: { from: `${long}no`, to: `${long}yes` },
      note: { from: 'a b', to: 'a\nb' },
      schema: { from: null, to: { title: long } },
    };
    expect(differencesOf({ ...NONE, changes })).toEqual([
      { what: 'script', from: `${long}no`, to: `${long}yes`, isLong: true },
      { what: 'note', from: 'a b', to: 'a\nb', isLong: true },
      { what: 'schema', from: '', to: `{\n  "title": "${long}"\n}`, isLong: true },
    ]);
  });

  it('name the parts that were added and removed', () => {
    const actions = { added: [{ action_name: 'find' }], removed: ['pay'], changed: [] };
    const sub_agents = { added: [{ id: 9, child_agent_id: 4 }], removed: [], changed: [] };
    expect(differencesOf({ ...NONE, changes: {}, actions, sub_agents })).toEqual([
      { what: 'actions: pay', from: 'there', to: 'removed' },
      { what: 'actions: find', from: '–', to: 'added' },
      { what: 'sub agents: 4', from: '–', to: 'added' },
    ]);
  });

  it('say what was changed in a part', () => {
    const rule = { id: 1, label: 'Refunds', position: 0, condition: { contains: 'refund' } };
    const field = { id: 3, field_key: 'order', required: true };
    const diff = {
      ...{ ...NONE, changes: {} },
      routing_rules: {
        ...{ added: [], removed: [] },
        changed: [{ label: 'Refunds', from: rule, to: { ...rule, id: 2, condition: { contains: 'money' } } }],
      },
      form_fields: {
        ...{ added: [], removed: [] },
        changed: [{ field_key: 'order', from: field, to: { ...field, required: false } }],
      },
    };
    expect(differencesOf(diff)).toEqual([
      { what: 'routing rules: Refunds, condition.contains', from: 'refund', to: 'money' },
      { what: 'form fields: order, required', from: 'true', to: 'false' },
    ]);
  });

  it('are none when nothing differs', () => {
    expect(differencesOf({ ...NONE, has_changes: false, changes: {} })).toEqual([]);
  });
});
