import { canonicalJson } from './canonical-json.js';

describe('canonical JSON', () => {
  it.each([
    ['{"b":1,"a":{"d":[1,{"f":1,"e":2}],"c":null}}', '{"a":{"c":null,"d":[1,{"e":2,"f":1}]},"b":1}'],
    ['[3, 1, "x"]', '[3,1,"x"]'],
    ['1.0', '1'],
    ['"\\u0061"', '"a"'],
  ])('of %s is %s', (text, expected) => expect(canonicalJson(JSON.parse(text))).toBe(expected));

  it('distinguishes lists in another order', () => expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1])));
});
