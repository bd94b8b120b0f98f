import { changesOf, wordsOf } from './changes.js';

describe('the changes of an audit entry', () => {
  it('are the fields whose values differ, added and removed ones too', () => {
    const before = { name: 'a', scopes: ['read'], date_updated: 1, gone: true };
    const after = { name: 'a', scopes: ['read', 'write'], date_updated: 2, added: null };
    expect(changesOf(before, after)).toEqual([
      { field: 'scopes', before: ['read'], after: ['read', 'write'] },
      { field: 'gone', before: true, after: undefined },
      { field: 'added', before: undefined, after: null },
    ]);
  });

  it('are named by their place in nested objects', () => {
    const before = { settings: { model: 'a', retention_days: { tasks: null, requests: 1 } } };
    const after = { settings: { model: 'a', retention_days: { tasks: 30, requests: 1 } } };
    expect(changesOf(before, after)).toEqual([{ field: 'settings.retention_days.tasks', before: null, after: 30 }]);
  });

  it('are none for what was created or deleted', () => {
    expect(changesOf(null, { name: 'a' })).toEqual([]);
    expect(changesOf({ name: 'a' }, null)).toEqual([]);
  });

  it('have names in words', () => {
    expect(wordsOf('release_move')).toBe('release move');
  });
});
