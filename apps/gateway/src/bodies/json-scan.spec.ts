import { jsonScanProblem } from './json-scan.js';

const limits = { maxDepth: 3, maxEntries: 4 };
const scan = (text: string) => jsonScanProblem(Buffer.from(text), limits);
const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('the scan of a JSON body', () => {
  it.each([
    ['{}'],
    ['[[[]]]'],
    ['[[[1]],{}]'],
    ['[ ]'],
    ['[{},[\n],{}, "a,b,c,d"]'],
    ['[1,2,3,4]'],
    ['{"a":1,"b":2,"c":3,"d":4}'],
    ['{"a":"{{{{[[[["}'],
    ['{"a":"\\"{{{{"}'],
    ['{"a":"\\\\"}'],
    ['{"a":"b:c:d:e:f:g"}'],
    ['{"a":"\\ud83d\\ude00"}'],
    ['{"a":"__proto__"}'],
    ['{"proto":1}'],
    ['not json at all'],
    ['{"unterminated'],
    ['{"bad escape":"\\uzzzz"}'],
    [''],
  ])('passes %s on to the parser', (text) => expect(scan(text)).toBeUndefined());

  it.each([
    [deep(4), 'deep'],
    [deep(100_000), 'deep'],
    ['{"a":{"b":{"c":{}}}}', 'deep'],
    ['{"a":1,"b":2,"c":3,"d":4,"e":5}', 'keys'],
    ['[1,2,3,4,5]', 'list elements'],
    ['[[1,2],[3]]', 'list elements'],
    ['{"a":[1,2],"b":[3]}', 'list elements'],
    ['{"a":"\\u0000"}', 'NUL'],
    ['{"\\u0000":1}', 'NUL'],
    ['{"a":"\\ud83d"}', 'surrogates'],
    ['{"a":"\\ud83dx"}', 'surrogates'],
    ['{"a":"\\ud83d\\n"}', 'surrogates'],
    ['{"a":"\\ude00"}', 'surrogates'],
    ['{"a":"\\ud83d\\ud83d\\ude00"}', 'surrogates'],
    ['{"__proto__":1}', '__proto__'],
    ['{"__proto__" \n :1}', '__proto__'],
    ['{"\\u005f_proto_\\u005F":1}', '__proto__'],
    ['{"a":{"__proto__":{}}}', '__proto__'],
  ])('refuses %.40s', (text, word) => expect(scan(text)).toContain(word));

  it.each([1, 62, 63, 64, 65, 127, 128, 129, 1000])(
    'finds what stands between long runs of %d characters',
    (length) => {
      const run = 'é{x'.repeat(length).slice(0, length);
      const around = (text: string): string => `{"${run}":"${run}${text}${run}","b":[1]}`;
      for (const text of ['', '\\"', '\\\\', `\\"${run}\\"`, '\\ud83d\\ude00', `\\n${run}\\\\`])
        expect(scan(around(text))).toBeUndefined();
      expect(scan(around('\\u0000'))).toContain('NUL');
      expect(scan(around('\\ud83d'))).toContain('surrogates');
      expect(scan(around('","__proto__":"'))).toContain('__proto__');
      expect(scan(around('","c":[[[1]]],"d":"'))).toContain('deep');
      expect(scan(`{"a":"${run}`)).toBeUndefined();
    },
  );

  it.each([
    ['escapes', '\\\\'],
    ['runs between escapes', `${'x'.repeat(70)}\\"`],
  ])('reads a long body of %s in one pass', (_, piece) => {
    const body = Buffer.from(`{"a":"${piece.repeat(4_000_000 / piece.length)}"}`);
    const started = performance.now();
    expect(jsonScanProblem(body, limits)).toBeUndefined();
    // Takes some 20 ms; a scan that rescans what follows each escape would take hours.
    expect(performance.now() - started).toBeLessThan(60_000);
  });
});
