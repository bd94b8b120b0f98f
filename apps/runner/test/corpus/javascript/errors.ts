import { family } from './attack.js';

// A3: errors of the host and what they carry: stacks, causes, prototypes.

export const errors = family('A3 errors', [
  [
    'stack overflow in a host call',
    "const f = () => { try { f() } catch (e) { inspect(e); ctx.log('info', 'x'); throw e } }; f()",
  ],
  [
    'stack overflow inside a getter of an argument',
    'const o = { get a() { return JSON.stringify(this) } }; ctx.emit(o)',
  ],
  ['RangeError of a host call: too many characters', "ctx.log('info', 'x'.repeat(20_000_000))"],
  ['TypeError of a host call', 'ctx.log(Symbol(), 1)'],
  ['vm2 CVE-2026-47686: cause of an error', "throw new Error('x', { cause: ctx })"],
  ['cause with a getter', "throw new Error('x', { get cause() { inspect(this); return globalThis } })"],
  ['AggregateError with the global', "throw new AggregateError([globalThis, ctx], 'x')"],
  [
    'prepareStackTrace',
    "Error.prepareStackTrace = (e, sites) => { for (const s of sites) { inspect(s); try { inspect(s.getThis()); inspect(s.getFunction()) } catch {} } return sites }; inspect(new Error('x').stack); try { ctx.log(1) } catch (e) { inspect(e.stack) }",
  ],
  [
    'stackTraceLimit',
    'Error.stackTraceLimit = Infinity; try { await ctx.http.fetch(1n) } catch (e) { inspect(e); inspect(e.stack) }',
  ],
  [
    'captureStackTrace',
    'if (Error.captureStackTrace) { const o = {}; Error.captureStackTrace(o); inspect(o); inspect(o.stack) }',
  ],
  [
    'stack of a host error',
    "try { await ctx.http.fetch('x') } catch (e) { inspect(e); if (/dist|node|file:/.test(String(e.stack))) found('a stack of the host', e.stack) }",
  ],
  [
    'name of a host error',
    "try { await ctx.http.fetch('x') } catch (e) { inspect(Object.getOwnPropertyDescriptors(e)); inspect(e.name.constructor) }",
  ],
  [
    'replaced Error',
    "globalThis.Error = class { constructor(m) { inspect(this); inspect(m) } }; try { await ctx.http.fetch('x') } catch (e) { inspect(e) }",
  ],
  [
    'replaced TypeError',
    'globalThis.TypeError = function () { return ctx }; try { ctx.log(1) } catch (e) { inspect(e) }',
  ],
  [
    'error with a hostile toString',
    "throw { message: { toString() { inspect(this); return 'x' } }, name: { toString() { throw globalThis } } }",
  ],
  [
    'error that is a proxy',
    "throw new Proxy(new Error('x'), { get(t, k) { inspect(t); return k === 'message' ? ctx : t[k] } })",
  ],
  ['error of a bad pattern', "try { new RegExp('(') } catch (e) { inspect(e) }"],
  ['error of JSON', "try { JSON.parse('{') } catch (e) { inspect(e); inspect(e.stack) }"],
  ['error of the parser', "try { eval('let x = ;') } catch (e) { inspect(e); inspect(e.fileName) }"],
  [
    'throwing undefined, null and a symbol',
    "try { throw undefined } catch (e) { inspect(e) } try { throw null } catch (e) { inspect(e) } throw Symbol('x')",
  ],
]);
