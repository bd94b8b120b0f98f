import { isJsonObject } from './json-object.js';

describe('a JSON object', () => {
  it.each([
    [{}, true],
    [{ a: 1 }, true],
    [[], false],
    [null, false],
    ['{}', false],
    [undefined, false],
  ])('is told from other values: %j is %p', (value, expected) => {
    expect(isJsonObject(value)).toBe(expected);
  });
});
