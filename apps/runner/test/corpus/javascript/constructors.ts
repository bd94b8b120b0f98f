import { family } from './attack.js';

// A1: walks from a reachable value to the constructor of functions, in many positions of the syntax.

const VALUES = [
  'ctx',
  'ctx.log',
  'ctx.emit',
  'ctx.http.fetch',
  'ctx.secrets.get',
  'ctx.step',
  'ctx.chat.completions.create',
  'ctx.input',
  'ctx.messages',
  'ctx.run',
  '(() => {})',
  '(async () => {})',
  '(function* () {})',
  '(async function* () {})',
  '[]',
  '/x/',
  '1n',
  'Symbol()',
];

export const constructors = family('A1 constructors', [
  ...VALUES.map(
    (value) =>
      [`constructor of ${value}`, `probe(${value}.constructor.constructor); probe(${value}.constructor)`] as const,
  ),
  [
    'n8n CVE-2025-68613: this of a plain function',
    'probe((function () { return this }).constructor); inspect((function () { return this }).call(null))',
  ],
  [
    'n8n CVE-2026-1470: with statement in sloppy code',
    "probe(Function('with (arguments[0]) { return constructor.constructor }')({}))",
  ],
  [
    'n8n CVE-2026-25049: destructured constructor',
    'const { constructor: { constructor: make } } = () => {}; probe(make)',
  ],
  ['n8n CVE-2026-27577: template in place of a name', "probe(ctx['con' + 'structor'][`constructo` + 'r'])"],
  ['n8n CVE-2026-72765: body of an arrow', 'const f = (x = (() => {}).constructor) => x; probe(f())'],
  [
    'n8n CVE-2026-85165: spread and computed keys',
    "const o = { ...ctx, [['constructor']]: 0 }; inspect(o); probe(Reflect.get(() => {}, ['constructor']))",
  ],
  ['indirect eval', "inspect((0, eval)('this')); probe((0, eval)('Function'))"],
  ['eval with a sloppy global', "inspect(new Function('return this')())"],
  [
    'getter on a prototype',
    "Object.defineProperty(Object.prototype, 'got', { get() { inspect(this); return 1 }, configurable: true }); ctx.log('info', { a: 1 })",
  ],
  ['tagged template', 'const tag = (parts) => parts.constructor.constructor; probe(tag`x`)'],
  ['class extends a host function', "class A extends ctx.http.fetch {} inspect(new A('x'))"],
  ['bound host function', "const f = ctx.http.fetch.bind(globalThis); probe(f.constructor); await f('x')"],
  ['Reflect.construct with another target', "inspect(Reflect.construct(Function, ['return this'], ctx.log)())"],
  [
    'accessors of a function',
    "for (const k of ['caller', 'callee', 'arguments']) { try { inspect(ctx.log[k]) } catch (e) { inspect(e) } }",
  ],
  [
    'callers of a callback',
    "function f() { try { inspect(f.caller) } catch (e) { inspect(e) } } await ctx.step('s', f)",
  ],
  ['own names of the global', 'for (const k of Object.getOwnPropertyNames(globalThis)) inspect(globalThis[k], k, 1)'],
  [
    'names of hidden globals',
    "for (const k of ['send', 'waitFor', 'host', 'channel', 'prelude', 'controls', 'parent', 'module', 'exports', 'Module', '__host', 'quickjs']) if (typeof globalThis[k] !== 'undefined') found('a hidden global', k)",
  ],
]);
