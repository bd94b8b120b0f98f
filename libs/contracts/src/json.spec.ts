import { isDeeperThan, named, sameJson } from './json.js';

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

  it('have their depth compared with a limit without being walked beyond it', () => {
    const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
    expect([isDeeperThan(nested(3), 3), isDeeperThan(nested(4), 3), isDeeperThan('x', 0)]).toEqual([
      false,
      true,
      false,
    ]);
    expect(isDeeperThan({ a: { b: [1] } }, 2)).toBe(true);
    expect(isDeeperThan(nested(1_000_000), 1_000)).toBe(true);
  });

  it('are indexed by name, and items of equal name by their order', () => {
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
