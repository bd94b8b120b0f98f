import { family } from './attack.js';

// A7: modules, workers, shared memory, WebAssembly. Imports in the text of a script are refused before it runs, so
// these are hidden in text that is evaluated.

const IMPORTED = [
  'fs',
  'node:fs',
  'node:child_process',
  'std',
  'os',
  'qjs:std',
  'qjs:os',
  'script.js',
  'prelude.js',
  'data:text/javascript,1',
  'file:///etc/passwd',
  'https://127.0.0.1/x.js',
];

export const modules = family('A7 modules', [
  ...IMPORTED.map(
    (name) =>
      [
        `import of ${name}`,
        `const m = await (0, eval)('import(' + ${JSON.stringify(JSON.stringify(name))} + ')'); found('a module', Object.keys(m))`,
      ] as const,
  ),
  [
    'require in all places',
    "for (const r of [globalThis.require, globalThis.module?.require, ctx.require, this?.require]) if (r) found('require', r)",
  ],
  ['import.meta', "inspect(Function('return typeof import' + '.meta')())"],
  [
    'shared memory between runs',
    "if (typeof SharedArrayBuffer === 'function') { const s = new SharedArrayBuffer(8); ctx.emit(s); inspect(s); Atomics.wait(new Int32Array(s), 0, 0, 10) }",
  ],
]);
