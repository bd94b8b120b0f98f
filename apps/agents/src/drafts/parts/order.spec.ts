import { move } from './order.js';

describe('an order', () => {
  it.each([
    [[1, 2, 3], 3, 0, [3, 1, 2]],
    [[1, 2, 3], 1, 1, [2, 1, 3]],
    [[1, 2, 3], 1, undefined, [2, 3, 1]],
    [[1, 2, 3], 1, 99, [2, 3, 1]],
    [[1, 2, 3], 2, 1, [1, 2, 3]],
    [[], 5, 0, [5]],
    [[1, 2], 9, 1, [1, 9, 2]],
  ])('%j: moving %d to %s gives %j', (ids, id, position, expected) => {
    expect(move(ids, id, position)).toEqual(expected);
  });
});
