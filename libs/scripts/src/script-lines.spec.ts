import { MAX_SCRIPT_DEPTH, parseScriptValue } from './script-lines.js';

describe('a value from a script', () => {
  it.each([
    ['{"__proto__":{"polluted":1},"a":1}', { a: 1 }],
    ['[{"\\u005f_proto__":{"polluted":1}}]', [{}]],
    ['{"a":{"b":[{"\\u005F\\u005fproto\\u005f\\u005f":1,"c":2}]}}', { a: { b: [{ c: 2 }] } }],
    ['{"__prot\\u006F__":{"polluted":1},"a":1}', { a: 1 }],
    // Without the NUL, which is not stored.
    ['{"a":[{"__pro\\u0000to__":{"polluted":1},"b\\u0000":1}]}', { a: [{ 'b\0': 1 }] }],
    ['{"__proto__":1,"__prot\\u006f__":2,"__proto\\u0000__":3,"c":[]}', { c: [] }],
    ['{"text":"__proto__"}', { text: '__proto__' }],
    ['null', null],
  ])('%s has no key that replaces a prototype', (text, expected) => {
    const value = parseScriptValue(text);
    expect(value).toEqual(expected);
    expect(JSON.stringify(value)).toBe(JSON.stringify(expected));
  });

  it('is refused when it is no JSON, or nested too deeply', () => {
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    expect(() => parseScriptValue('{')).toThrow('is not JSON');
    expect(parseScriptValue(nested(MAX_SCRIPT_DEPTH))).toBeDefined();
    expect(() => parseScriptValue(nested(MAX_SCRIPT_DEPTH + 1))).toThrow('is nested deeper than 64 levels');
    expect(() => parseScriptValue(nested(100_000))).toThrow();
  });
});
