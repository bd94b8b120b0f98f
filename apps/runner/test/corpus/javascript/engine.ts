import { family } from './attack.js';

// A6: what crashes engines: deep recursion, patterns, huge literals, regressions of QuickJS.

export const engine = family('A6 engine', [
  ['deep recursion', 'const f = (n) => f(n + 1) + 1; f(0)'],
  ['mutual recursion through toString', "const o = { toString() { return '' + o } }; '' + o"],
  ['deep JSON.parse', "JSON.parse('['.repeat(200_000) + ']'.repeat(200_000))"],
  ['deep JSON.stringify', 'let a = {}; for (let i = 0; i < 200_000; i++) a = { a }; JSON.stringify(a)'],
  ['deep eval', "eval('('.repeat(100_000) + ')'.repeat(100_000))"],
  ['deep arrays in the source', "eval('['.repeat(50_000) + ']'.repeat(50_000))"],
  ['deep destructuring', "eval('var ' + '['.repeat(5000) + 'a' + ']'.repeat(5000) + ' = []')"],
  ['deep pattern', "new RegExp('('.repeat(50_000) + ')'.repeat(50_000))"],
  ['exponential pattern', "/^(a+)+$/.test('a'.repeat(40) + 'b')"],
  ['pattern with many groups', "new RegExp('(a)'.repeat(300)).exec('a'.repeat(300))"],
  ['lookbehind with captures', "/(?<=(\\d+)(\\d+))$/.exec('1053'.repeat(500))"],
  ['proxy chain', 'let p = {}; for (let i = 0; i < 100_000; i++) p = new Proxy(p, {}); p.x'],
  ['prototype chain', 'let o = {}; for (let i = 0; i < 100_000; i++) o = Object.create(o); o.x'],
  [
    'sort with a hostile comparison',
    'const a = Array.from({ length: 1000 }, (_, i) => i); a.sort(() => { a.length = 0; return Math.random() - 0.5 })',
  ],
  [
    'splice of an array that shrinks',
    'const a = [1, 2, 3]; a.splice(0, { valueOf() { a.length = 0; return 3 } }); inspect(a)',
  ],
  [
    'typed array over a resized buffer',
    'const b = new ArrayBuffer(8, { maxByteLength: 64 }); const u = new Uint8Array(b); if (b.resize) b.resize(1); u[7] = 1; inspect(u)',
  ],
  [
    'fill with a hostile value',
    'const u = new Uint8Array(8); u.fill({ valueOf() { return 1 } }, 0, { valueOf() { return 2 ** 31 } })',
  ],
  ['generator that runs itself', 'let g; function* f() { g.next() } g = f(); g.next()'],
  ['huge BigInt', '(2n ** 100_000n) * (3n ** 100_000n)'],
  [
    '100,000 properties and deletes',
    "const o = {}; for (let i = 0; i < 100_000; i++) o['k' + i] = i; for (const k in o) delete o[k]",
  ],
]);
