import { named, sameJson } from './json.js';

describe('JSON values', () => {
  it.each([
    [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
    [{ a: null }, {}, true],
    [[1, 2], [2, 1], false],
    [{ a: { b: 1 } }, { a: { b: 2 } }, false],
    [0, null, false],
  ])('%j and %j are the same: %s', (left, right, same) => {
    expect(sameJson(left, right)).toBe(same);
  });

  it('are found by name, those of one name by their order', () => {
    const items = [
      { n: 'a', v: 1 },
      { n: 'b', v: 2 },
      { n: 'a', v: 3 },
      { n: 'a', v: 4 },
    ];
    expect([...named(items, 'n').values()]).toEqual(items);
    expect([...named(items, 'n').keys()]).toEqual(['a', 'b', '["a",2]', '["a",3]']);
  });
});
