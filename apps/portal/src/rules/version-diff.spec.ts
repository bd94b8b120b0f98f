import { differencesOf } from './version-diff.js';

const NONE = { from_version: '1.0.0', to_version: '1.1.0', has_changes: true };

describe('the differences of two versions', () => {
  it('are the fields with both values, in one line each', () => {
    const changes = { system_prompt: { from: 'a\n b', to: null }, temperature: { from: 0, to: 1 } };
    expect(differencesOf({ ...NONE, changes })).toEqual([
      { what: 'system prompt', from: 'a b', to: '–' },
      { what: 'temperature', from: '0', to: '1' },
    ]);
  });

  it('name the parts that were added, removed and changed', () => {
    const actions = { added: [{ action_name: 'find' }], removed: ['pay'], changed: [{ name: 'ask' }] };
    expect(differencesOf({ ...NONE, changes: {}, actions })).toEqual([
      { what: 'actions: pay', from: 'there', to: 'removed' },
      { what: 'actions: find', from: '–', to: 'added' },
      { what: 'actions: ask', from: '', to: 'changed' },
    ]);
  });

  it('are none when nothing differs', () => {
    expect(differencesOf({ ...NONE, has_changes: false, changes: {} })).toEqual([]);
  });
});
