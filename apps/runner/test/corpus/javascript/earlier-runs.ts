import { family } from './attack.js';

// A8: data that stays behind for a later run, of this company or of another one. Every script checks for such data
// before it begins, and leaves a mark.

const PLACES = [
  'globalThis',
  'Object.prototype',
  'Array.prototype',
  'Function.prototype',
  'String.prototype',
  'Promise',
  'Promise.prototype',
  'Error',
  'JSON',
  'Reflect',
];

export const earlierRuns = family('A8 earlier runs', [
  ...PLACES.map(
    (place) =>
      [
        `data in ${place}`,
        `if (Object.getOwnPropertyNames(${place}).includes('left')) found('data of an earlier run', ${place}.left); ${place}.left = 'left'`,
      ] as const,
  ),
  [
    'registered symbols',
    "if (Symbol.for('left').left) found('data in a symbol', 1); Object.defineProperty(Symbol.prototype, 'left', { value: 1 })",
  ],
  [
    'state of a pattern',
    "const r = /x/g; if (r.lastIndex !== 0) found('data in a pattern', 1); r.exec('xx'); RegExp.left = 1",
  ],
  ['regular expression statics', "if (RegExp.$1) found('data of an earlier match', RegExp.$1); /(left)/.exec('left')"],
  ['a job that is still pending', "(async () => { for (;;) { await ctx.artifacts.get('x'); mark('pending') } })()"],
  [
    'memory that was freed',
    "const u = new Uint8Array(1_000_000); let sum = 0; for (const b of u) sum += b; if (sum !== 0) found('memory of an earlier run', sum); u.fill(7)",
  ],
]);
