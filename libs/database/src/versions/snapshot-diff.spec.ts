import { diffSnapshots, sameJson } from './snapshot-diff.js';

const PARTS = { actions: { by: 'action_name', ignoring: ['id'] } };
const action = (name: string, change: object = {}) => ({ id: 1, action_name: name, description: 'd', ...change });

describe('equal JSON', () => {
  it.each([
    [{ a: 1, b: [1, { c: 2 }] }, { b: [1, { c: 2 }], a: 1 }, true],
    [{ a: null }, {}, true],
    [[1, 2], [2, 1], false],
    [[1], { 0: 1 }, false],
    ['1', 1, false],
    [{ a: {} }, { a: [] }, false],
  ])('%j and %j: %s', (left, right, same) => expect(sameJson(left, right)).toBe(same));
});

describe('the difference of two snapshots', () => {
  it('is empty for equal ones', () => {
    const one = { name: 'a', config: { t: 1 }, actions: [action('x')] };
    expect(diffSnapshots(one, structuredClone(one), PARTS)).toEqual({
      has_changes: false,
      changes: {},
      actions: { added: [], removed: [], changed: [] },
    });
  });

  it('names changed paths in dot form, objects key by key, lists whole', () => {
    const left = { name: 'a', config: { t: 1, stop: ['x'] }, model: null };
    const right = { name: 'b', config: { t: 1, stop: ['x', 'y'] }, model: 'm' };
    expect(diffSnapshots(left, right, {}).changes).toEqual({
      name: { from: 'a', to: 'b' },
      'config.stop': { from: ['x'], to: ['x', 'y'] },
      model: { from: null, to: 'm' },
    });
  });

  it('identifies added, removed and changed parts by name and ignores their ids', () => {
    const left = { actions: [action('kept'), action('gone'), action('edited')] };
    const right = { actions: [action('edited', { description: 'new' }), action('kept', { id: 9 }), action('fresh')] };
    const diff = diffSnapshots(left, right, PARTS);
    expect(diff.has_changes).toBe(true);
    expect(diff.changes).toEqual({});
    expect(diff.actions).toEqual({
      added: [action('fresh')],
      removed: [action('gone')],
      changed: [{ action_name: 'edited', from: action('edited'), to: action('edited', { description: 'new' }) }],
    });
  });
});
