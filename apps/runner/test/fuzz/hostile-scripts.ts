import { type Attack, type Canaries, scriptOf } from '../corpus/javascript/attack.js';
import { ATTACKS } from '../corpus/javascript/index.js';
import { scriptOf as pythonScriptOf } from '../corpus/python/attack.js';
import { PYTHON_ATTACKS } from '../corpus/python/index.js';

const PIECES = 6;
const MAX_STEPS = 7;

/** Where walks through values begin. */
const ROOTS = [
  'ctx',
  'ctx.http.fetch',
  'ctx.step',
  'ctx.artifacts.get("x")',
  'ctx.chat.completions.stream({})',
  'globalThis',
  'Promise.resolve(ctx)',
  'new Proxy(ctx.log, { get: (t, k, r) => (inspect(r), Reflect.get(t, k)) })',
  '(function* () { yield ctx })()',
  '(async function* () { yield ctx })()',
  'Error("x")',
  'new (class extends Promise { constructor(f) { super(f); inspect(f) } })(() => {})',
  'Object.getOwnPropertyDescriptors(globalThis)',
  'new WeakRef(ctx)',
  '[ctx, ctx.log]',
  '/(?<a>.)/.exec("a")',
  'new Uint8Array(8)',
  'Symbol',
  'JSON',
  'import.meta',
];

/** Steps of a walk from a value `v`. */
const STEPS = [
  'v.constructor',
  'v.__proto__',
  'Object.getPrototypeOf(v)',
  'Reflect.ownKeys(v).map((key) => v[key])',
  'v.call',
  'v.bind(null)',
  'Reflect.apply(v, ctx, [v, "return globalThis"])',
  'Reflect.construct(v, ["return this"])',
  'v("return globalThis")()',
  'new v(v)',
  'v.valueOf()',
  'v.then((each) => each)',
  'v.next()',
  'v[Symbol.iterator]()',
  'v[Symbol.asyncIterator]()',
  'v.caller ?? v.arguments ?? v.stack',
  'v.buffer ?? v.deref()',
  'Object.assign(Object.prototype, { polluted: v })',
  'Object.defineProperty(v, "then", { get() { inspect(this); return (f) => f(v) } })',
  'structuredClone(v)',
  '(ctx.emit(v), v)',
  'ctx.http.fetch(v, v)',
  'ctx.agents.invoke(v, { message: v })',
  'ctx.step(String(v), () => v)',
  'Function.prototype.toString.call(v)',
];

/** What the tokens of an attack are replaced with. */
const TOKENS = [
  'ctx',
  'globalThis',
  'Function',
  'eval',
  'Proxy',
  'Reflect',
  'Promise',
  'constructor',
  '__proto__',
  'prototype',
  'then',
  'null',
  '-1',
  '2 ** 53',
  '"\\u0000"',
  'await',
  '...',
  '[]',
];

/** Attacks without a separate alarm, which a change of their condition would set off. */
const withoutAlarm = <T extends { code: string }>(attacks: readonly T[]): T[] =>
  attacks.filter(({ code }) => !code.includes('found('));
const MUTABLE = withoutAlarm<Attack>(ATTACKS);
const MUTABLE_PYTHON = withoutAlarm(PYTHON_ATTACKS);

/** Generates hostile scripts; the same numbers give the same scripts. */
export class HostileScripts {
  constructor(
    private readonly random: () => number,
    private readonly canaries: Canaries,
  ) {}

  javascript(): string {
    const pieces = Array.from({ length: PIECES }, () => (this.random() < 0.5 ? this.walk() : this.mutant()));
    const runs = pieces.map((code) => `await attempt(${JSON.stringify(code)});`).join('\n');
    // A piece that does not compile ends only itself.
    const code = `const Code = (async () => {}).constructor;
      async function attempt(code) {
        try { inspect(await Code('ctx', 'inspect', 'probe', 'found', code)(ctx, inspect, probe, found)) }
        catch (error) { inspect(error, 'thrown') }
      }
      ${runs}`;
    return scriptOf({ family: 'generated', name: 'generated', code }, this.canaries);
  }

  python(): string {
    const attacks = Array.from({ length: PIECES }, () => this.one(PYTHON_ATTACKS));
    const more = Array.from({ length: PIECES }, () => ({
      family: 'generated',
      name: 'generated',
      code: `exec(${JSON.stringify(this.mutated(this.one(MUTABLE_PYTHON).code))}, globals(), {'ctx': ctx, 'result': None})`,
    }));
    return pythonScriptOf([...attacks, ...more], this.canaries.file);
  }

  /** A chain of steps from a value, each of which may throw and be skipped. */
  private walk(): string {
    const count = 1 + Math.floor(this.random() * MAX_STEPS);
    const steps = Array.from({ length: count }, () => `(v) => ${this.one(STEPS)}`);
    return `let v = ${this.one(ROOTS)};
      for (const step of [${steps.join(', ')}]) {
        try { v = step(v); inspect(v); if (v && v.then) v = await Promise.race([v, null]) } catch (error) { inspect(error) }
      }
      return v;`;
  }

  private mutant(): string {
    const { code } = this.one(MUTABLE);
    return this.random() < 0.2 ? `${code}; ${this.one(MUTABLE).code}` : this.mutated(code);
  }

  /** Replaces, repeats or drops some tokens. */
  private mutated(code: string): string {
    const tokens = code.split(/(\b\w+\b)/);
    for (let change = 0; change < 3; change++) {
      const at = Math.floor(this.random() * tokens.length);
      const kind = this.random();
      tokens[at] = kind < 0.6 ? this.one(TOKENS) : kind < 0.8 ? `${tokens[at]}${tokens[at]}` : '';
    }
    return tokens.join('');
  }

  private one<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)] as T;
  }
}
