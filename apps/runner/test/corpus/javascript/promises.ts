import { family } from './attack.js';

// A2: promises, their species and thenables, asynchronous generators, finally.

export const promises = family('A2 promises', [
  [
    'vm2 CVE-2026-22709: replaced then',
    "Promise.prototype.then = function (f, g) { inspect(this); inspect(f); return this }; ctx.http.fetch('x')",
  ],
  [
    'vm2 CVE-2026-22709: replaced catch',
    "Promise.prototype.catch = function (f) { inspect(f); return this }; await ctx.http.fetch('x')",
  ],
  [
    'vm2 CVE-2026-45411: yield* of an asynchronous generator',
    'async function* g() { yield* { [Symbol.asyncIterator]() { return { next(v) { inspect(this); return { then(r) { inspect(r); r({ done: true }) } } } } } } } for await (const x of g()) inspect(x)',
  ],
  [
    'vm2 CVE-2026-47208: species of a promise',
    "const p = ctx.http.fetch('x'); p.constructor = { [Symbol.species]: function (run) { run((v) => inspect(v), (e) => inspect(e)) } }; inspect(p.then((v) => v))",
  ],
  [
    'vm2 CVE-2026-47210: finally',
    "const p = ctx.http.fetch('x'); p.constructor = { [Symbol.species]: class extends Promise {} }; inspect(await p.finally(() => {}))",
  ],
  [
    'vm2 CVE-2026-92944: replaced species getter',
    "Object.defineProperty(Promise, Symbol.species, { get() { return function (run) { run(inspect, inspect); this.then = (r) => r() } } }); await ctx.http.fetch('x')",
  ],
  [
    'vm2 CVE-2026-93606: then on the prototype of objects',
    "Object.prototype.then = function (r) { delete Object.prototype.then; inspect(this); inspect(r); r(this) }; await ctx.artifacts.get('x')",
  ],
  ['thenable as an argument', "await ctx.http.fetch({ then(r) { inspect(r); r('x') } })"],
  ['thenable result', 'return { then(resolve, reject) { inspect(resolve); inspect(reject); resolve(1) } }'],
  ['thenable that never ends in time', 'return { then(resolve) { resolve({ then(again) { again(1) } }) } }'],
  [
    'replaced global Promise',
    "globalThis.Promise = class { constructor(run) { inspect(run); run(inspect, inspect) } }; inspect(ctx.http.fetch('x'))",
  ],
  [
    'subclass with a hostile executor',
    "class P extends Promise { constructor(run) { super((a, b) => { inspect(a); inspect(b); run(a, b) }) } } await P.resolve(ctx.http.fetch('x'))",
  ],
  ['promise that resolves itself', 'let r; const p = new Promise((resolve) => { r = resolve }); r(p); await p'],
  [
    'rejection with a getter',
    "await Promise.reject({ get message() { inspect(this); return 'x' }, get stack() { inspect(this); return 'x' } })",
  ],
  ['unhandled rejection', "Promise.reject(new Error('unhandled')); Promise.reject(ctx)"],
  ['race of host calls', "inspect(await Promise.race([ctx.http.fetch('a'), ctx.http.fetch('b')]))"],
  [
    'any of failed host calls: AggregateError',
    "try { await Promise.any([ctx.http.fetch('a'), ctx.http.fetch('b')]) } catch (e) { inspect(e); for (const each of e.errors) inspect(each) }",
  ],
  ['allSettled', "for (const each of await Promise.allSettled([ctx.http.fetch('a'), ctx.step(1, 2)])) inspect(each)"],
  [
    'return of an asynchronous generator',
    "async function* g() { try { yield 1 } finally { inspect(arguments); await ctx.http.fetch('x') } } for await (const x of g()) break",
  ],
  [
    'throw into an asynchronous generator',
    'async function* g() { try { yield 1 } catch (e) { inspect(e); yield e } } const i = g(); await i.next(); inspect(await i.throw(ctx))',
  ],
  ['iterator of a host result', "inspect([...Object.entries(await ctx.artifacts.get('x') ?? {})])"],
  [
    'withResolvers',
    'if (Promise.withResolvers) { const { promise, resolve } = Promise.withResolvers(); inspect(resolve); resolve(1); await promise }',
  ],
  [
    'job after the end',
    "(async () => { for (let i = 0; i < 50; i++) await null; mark('late'); ctx.log('info', 'after the end') })()",
  ],
  [
    'step inside a step',
    "await ctx.step('a', () => ctx.step('b', () => ctx.step('c', () => inspect(new Error().stack))))",
  ],
  [
    'await in the parameters of a host call',
    "inspect(await ctx.http.fetch(await ctx.http.fetch(await ctx.artifacts.get('x'))))",
  ],
]);
