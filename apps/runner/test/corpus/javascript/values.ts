import { family } from './attack.js';

// A4: proxies, symbols, getters, toJSON, and values that pollute their reader.

export const values = family('A4 values', [
  [
    'output with the key __proto__',
    'ctx.emit(JSON.parse(\'{"__proto__":{"polluted":true}}\')); return JSON.parse(\'{"__proto__":{"polluted":true}}\')',
  ],
  ['event with constructor.prototype', 'ctx.emit({ constructor: { prototype: { polluted: true } } })'],
  [
    'argument with the key __proto__',
    'await ctx.http.fetch(\'x\', JSON.parse(\'{"headers":{"__proto__":{"polluted":true}}}\'))',
  ],
  ['__proto__ in a list', 'await ctx.agents.invoke(1, { messages: [JSON.parse(\'{"__proto__":{"polluted":1}}\')] })'],
  [
    '__proto__ as own accessor',
    "const o = {}; Object.defineProperty(o, '__proto__', { get() { inspect(this); return { polluted: true } }, enumerable: true }); ctx.emit(o)",
  ],
  ['toJSON that returns the global', 'return { toJSON() { inspect(this); return { polluted: typeof globalThis } } }'],
  [
    'toJSON on the prototype of objects',
    'Object.prototype.toJSON = function (k) { inspect(this); delete Object.prototype.toJSON; return { polluted: k } }; ctx.emit({ a: 1 })',
  ],
  [
    'toJSON on the prototype of strings',
    "String.prototype.toJSON = function () { inspect(this); return { a: 1 } }; ctx.emit(['x']); await ctx.http.fetch('x')",
  ],
  ['toJSON that throws', 'ctx.emit({ toJSON() { throw ctx } })'],
  [
    'replaced JSON.stringify',
    "JSON.stringify = (v) => { inspect(v); return '{\"polluted\":true}' }; ctx.emit({}); await ctx.http.fetch('x')",
  ],
  [
    'replaced JSON.parse',
    "JSON.parse = (t) => { inspect(t); return globalThis }; inspect(await ctx.artifacts.get('x'))",
  ],
  ['replaced JSON', "globalThis.JSON = { stringify: inspect, parse: inspect }; await ctx.http.fetch('x')"],
  [
    'proxy as an argument',
    'await ctx.http.fetch(new Proxy({}, { get(t, k, r) { inspect(r); return undefined }, ownKeys() { return [] } }))',
  ],
  [
    'proxy of a host function',
    "const p = new Proxy(ctx.http.fetch, { apply(f, self, args) { inspect(f); return Reflect.apply(f, self, args) } }); await p('x')",
  ],
  [
    'proxy as a prototype',
    'Object.setPrototypeOf(ctx, new Proxy({}, { get(t, k, r) { inspect(r) } })); inspect(ctx.missing)',
  ],
  ['revoked proxy', 'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); ctx.emit(proxy)'],
  [
    'vm2 CVE-2026-47135: Symbol.for',
    "for (const n of ['nodejs.util.inspect.custom', 'nodejs.util.promisify.custom', 'nodejs.rejection', 'nodejs.dispose']) ctx.emit({ [Symbol.for(n)](d, o, i) { found('a host symbol was called', n) } })",
  ],
  ['Symbol.toPrimitive as a level', "ctx.log({ [Symbol.toPrimitive]() { inspect(this); return 'info' } }, 'x')"],
  ['Symbol.toStringTag', "ctx.emit({ get [Symbol.toStringTag]() { inspect(this); return 'Promise' } })"],
  [
    'Symbol.hasInstance',
    "Object.defineProperty(Promise, Symbol.hasInstance, { value: (v) => { inspect(v); return true } }); await ctx.http.fetch('x')",
  ],
  [
    'Symbol.unscopables',
    "inspect(Function('with (this) { return constructor }').call({ [Symbol.unscopables]: globalThis }))",
  ],
  [
    'Symbol.iterator of arguments',
    "Array.prototype[Symbol.iterator] = function* () { inspect(this); yield 'polluted' }; await ctx.http.fetch('x', 'y')",
  ],
  [
    'setter on array indices',
    "Object.defineProperty(Array.prototype, '0', { set(v) { inspect(v); inspect(this) }, get() { return ctx }, configurable: true }); await ctx.http.fetch('x')",
  ],
  ['length of an array as an object', "await ctx.http.fetch({ length: 2 ** 53, 0: 'x' })"],
  [
    'getter that runs a host call',
    "ctx.emit({ get a() { ctx.log('info', 'inside'); return ctx.secrets.get('KEY') } })",
  ],
  ['cyclic value', 'const a = {}; a.a = a; ctx.emit(a)'],
  ['value nested 100,000 levels', 'let a = []; for (let i = 0; i < 100_000; i++) a = [a]; ctx.emit(a)'],
  [
    'value nested 200 levels',
    'let a = []; for (let i = 0; i < 200; i++) a = [a]; await ctx.http.fetch(a); ctx.emit(a); return a',
  ],
  [
    'text with NUL, lone surrogates and separators',
    'ctx.log(\'info\', \'\\u0000\\ud800\\u2028\\n{"result":{"status":"completed"}}\'); ctx.emit(\'\\ud800\\u0000\')',
  ],
  [
    'ArrayBuffer, DataView and typed arrays',
    'ctx.emit([new ArrayBuffer(8), new Uint8Array(8), new DataView(new ArrayBuffer(8))]); inspect(new Uint8Array(8).buffer)',
  ],
  [
    'Date, Map, WeakRef, FinalizationRegistry',
    "ctx.emit([new Date(NaN), new Map([[1, 2]])]); if (typeof WeakRef === 'function') inspect(new WeakRef({}).deref()); if (typeof FinalizationRegistry === 'function') new FinalizationRegistry(inspect).register({}, ctx)",
  ],
]);
