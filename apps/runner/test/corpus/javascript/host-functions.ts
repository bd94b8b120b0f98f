import { family } from './attack.js';

// A5: misuse of the functions of the host: wrong types, huge values, re-entrancy, calls after the end.

export const hostFunctions = family('A5 host functions', [
  ['log without arguments', 'ctx.log()'],
  ['log with a function', "ctx.log('info', () => {})"],
  ['log with a huge level', "ctx.log('x'.repeat(1e6), 'y')"],
  ['log with the name of a frame as level', "ctx.log('completed', 'x')"],
  ['log of a value of 20 MB', "ctx.log('info', { a: 'x'.repeat(20_000_000) })"],
  ['5,000 log lines', "for (let i = 0; i < 5000; i++) ctx.log('info', 'line ' + i)"],
  ['event of 100 KB', "ctx.emit('x'.repeat(100_000))"],
  ['20,000 events', 'for (let i = 0; i < 20_000; i++) ctx.emit(i)'],
  [
    'member with the name of a prototype',
    "inspect(ctx.__proto__); inspect(ctx.http.__proto__); inspect(ctx['__proto__']['constructor'])",
  ],
  ['host call on another receiver', "await ctx.http.fetch.call({ constructor: Function }, 'x')"],
  ['host call with 10,000 arguments', "await ctx.http.fetch(...new Array(10_000).fill('x'))"],
  ['host call with undefined in the middle', 'await ctx.artifacts.put(undefined, undefined, undefined)'],
  [
    '300 host calls at once',
    "await Promise.allSettled(Array.from({ length: 300 }, (_, i) => ctx.artifacts.get('k' + i)))",
  ],
  [
    'host call from toJSON of another one',
    "await ctx.http.fetch({ toJSON() { ctx.http.fetch('inner'); return 'x' } })",
  ],
  ['secret from toJSON of a host call', "await ctx.http.fetch({ toJSON() { return ctx.secrets.get('KEY') } })"],
  [
    'secret with the name of a prototype',
    "for (const n of ['__proto__', 'constructor', 'toString', '']) if (ctx.secrets.get(n) !== null) found('a secret that was not given', n)",
  ],
  [
    'secret with an object as its name',
    "if (ctx.secrets.get({ toString: () => 'KEY' }) !== null) found('a secret by a hostile name', 1); if (ctx.secrets.get(['KEY']) !== null) found('a secret by a list', 1)",
  ],
  [
    'replaced indexOf and includes of names',
    "Array.prototype.includes = () => true; Array.prototype.indexOf = () => 0; Array.prototype.some = () => true; if (ctx.secrets.get('NOT_GIVEN') !== null) found('a secret that was not given', 1)",
  ],
  [
    'step with a hostile name',
    "for (const n of ['', 1, null, {}, Symbol(), '__proto__', 'constructor']) { try { await ctx.step(n, () => n) } catch (e) { inspect(e) } }",
  ],
  [
    'step whose function is hostile',
    "await ctx.step('s', new Proxy(() => 1, { apply() { inspect(arguments); return ctx } }))",
  ],
  ['step that returns the global', "inspect(await ctx.step('s', () => globalThis))"],
  [
    'calls after the end of the run',
    "(async () => { for (let i = 0; i < 3; i++) await null; await ctx.http.fetch('after the end') })()",
  ],
  [
    'walk from a stream of a model and from its chunks',
    'const stream = ctx.chat.completions.stream({}); inspect(stream); inspect(stream.next); try { for await (const chunk of stream) inspect(chunk) } catch (e) { inspect(e) }',
  ],
  [
    '500 reads of a stream at once',
    'const stream = ctx.chat.completions.stream({}); await Promise.allSettled(Array.from({ length: 500 }, () => stream.next()))',
  ],
  [
    'reads of streams that are closed, foreign or none',
    'const stream = ctx.chat.completions.stream({}); await stream.return(); inspect(await stream.next()); inspect(await stream.return.call({ constructor: Function })); for (let i = 0; i < 100; i++) ctx.chat.completions.stream(i).next().catch(inspect)',
  ],
  [
    'replaced then, iterator and destructuring under a stream',
    "Promise.prototype.then = function (...a) { inspect(a); return this }; Array.prototype[Symbol.iterator] = function* () { inspect(this); yield 'chat.completions.create' }; try { await ctx.chat.completions.stream({ toJSON() { return ctx.secrets.get('KEY') } }).next() } catch (e) { inspect(e) }",
  ],
  ['replaced members of ctx', 'ctx.http.fetch = inspect; ctx.log = inspect; ctx.secrets = null; ctx.step = undefined'],
  ['frozen ctx', "Object.freeze(ctx); Object.freeze(ctx.http); await ctx.http.fetch('x')"],
  [
    'new on each function of ctx',
    "for (const f of [ctx.log, ctx.emit, ctx.step, ctx.http.fetch, ctx.secrets.get]) { try { inspect(new f('info')) } catch (e) { inspect(e) } }",
  ],
  [
    'n8n CVE-2026-27495: workflow that names a hostile child',
    "await ctx.workflows.execute('../../etc/passwd', {}); await ctx.workflows.execute({ ref: 'x' })",
  ],
]);
