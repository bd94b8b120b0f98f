import { Seal } from './seal.js';

const [OLD, NEW] = ['0a'.repeat(32), '0b'.repeat(32)];
const before = new Seal('kind', [OLD]);
const accepting = new Seal('kind', [OLD, NEW]);
const changed = new Seal('kind', [NEW, OLD]);
const after = new Seal('kind', [NEW]);

describe('a seal while its key changes', () => {
  it.each([
    ['before', before, accepting],
    ['while both are accepted', accepting, changed],
    ['after the change', changed, after],
  ])('writes %s what processes of that step and of the next read', (_when, now, next) => {
    const sealed = now.seal('place', 'größer');
    for (const each of [now, next]) expect(each.open('place', sealed)).toBe('größer');
  });

  it('lets processes of one key read what those of both have sealed with it', () => {
    expect(before.open('place', accepting.seal('place', 'text'))).toBe('text');
  });

  it('knows what the key that seals has sealed, with the id of the key and without', () => {
    const all = [before, accepting, changed, after].map((seal) => seal.seal('place', 'text'));
    expect(all.map((sealed) => changed.isCurrent('place', sealed))).toEqual([false, false, true, true]);
    expect(all.map((sealed) => before.isCurrent('place', sealed))).toEqual([true, true, false, false]);
    expect(changed.isCurrent('another place', changed.seal('place', 'text'))).toBe(false);
  });

  it('opens nothing that was sealed with a key that it does not have', () => {
    for (const seal of [before, accepting]) expect(() => after.open('place', seal.seal('place', 'text'))).toThrow();
  });

  it('opens nothing that was changed, its version and the id of its key included', () => {
    const sealed = changed.seal('place', 'text');
    for (let at = 0; at < sealed.length; at++) {
      const other = Buffer.from(sealed);
      other[at]! ^= 1;
      expect(() => changed.open('place', other)).toThrow();
    }
  });
});
