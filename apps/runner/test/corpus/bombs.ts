/** A script that uses up a resource. */
export interface Bomb {
  name: string;
  script: string;
}

const bomb = (name: string, code: string): Bomb => ({ name, script: `async function execute(ctx) { ${code} }` });

/** A9: 40 bombs by what they use up: processor time, memory, and the host. Most never end by themselves. */
export const BOMBS: readonly Bomb[] = [
  bomb('endless loop', 'for (;;);'),
  bomb('endless while with a condition', 'let i = 0; while (i >= 0) i = (i + 1) % 1000;'),
  bomb('endless do', 'do {} while (true)'),
  bomb('endless recursion that is caught', 'const f = () => { try { f() } catch { f() } }; for (;;) f()'),
  bomb('endless promises', 'const f = () => Promise.resolve().then(f); await f()'),
  bomb('endless await', 'for (;;) await null'),
  bomb('endless asynchronous generator', 'async function* g() { for (;;) yield 1 } for await (const x of g());'),
  bomb('endless generator', 'function* g() { for (;;) yield 1 } for (const x of g());'),
  bomb('endless iterator', 'Array.from({ [Symbol.iterator]() { return { next: () => ({ done: false }) } } })'),
  bomb('endless getter', 'const o = { get a() { return this.a }, b: 1 }; for (;;) { try { o.a } catch {} }'),
  bomb('endless toJSON', 'const o = { toJSON() { for (;;); } }; ctx.emit(o)'),
  bomb('endless finally', 'for (;;) { try { throw 1 } catch {} finally { continue } }'),
  bomb('exponential pattern', '/^(a+)+$/.test("a".repeat(50) + "b")'),
  bomb('exponential alternation', '/^(a|a)*$/.test("a".repeat(60) + "b")'),
  bomb('nested quantifiers', '/(x+x+)+y/.test("x".repeat(60))'),
  bomb('polynomial pattern', '/^.*a.*a.*a.*a.*a.*a$/.test("a".repeat(5000) + "b")'),
  bomb(
    'sort that never ends',
    'const a = Array.from({ length: 1e5 }, Math.random); for (;;) a.sort(() => Math.random() - 0.5)',
  ),
  bomb('sparse array as text', 'new Array(1e9) + ""'),
  bomb('join of a sparse array', 'new Array(4e8).join("x")'),
  bomb('huge loop over a sparse array', 'const a = []; a.length = 2 ** 32 - 1; a.indexOf(1); for (const x of a);'),
  bomb('huge power', 'for (;;) 3n ** 1_000_000n'),
  bomb('huge factorial', 'let n = 1n; for (let i = 1n; ; i++) n *= i'),
  bomb('endless parsing', 'for (;;) JSON.parse("[" + "1,".repeat(1e5) + "1]")'),
  bomb('endless evaluation', 'for (;;) eval("1;".repeat(10_000))'),
  bomb('string that doubles', 'let s = "x"; for (;;) { try { s += s } catch { s = "x" } }'),
  bomb('list of strings', 'const a = []; for (;;) a.push("x".repeat(1e6) + a.length)'),
  bomb('list of lists', 'const a = []; for (;;) a.push(new Array(1e5).fill(1))'),
  bomb('buffers', 'const a = []; for (;;) a.push(new ArrayBuffer(1e7))'),
  bomb('buffers that are caught', 'const a = []; for (;;) { try { a.push(new Uint8Array(1e7).fill(1)) } catch {} }'),
  bomb('map of numbers', 'const m = new Map(); for (let i = 0; ; i++) m.set(i, { i })'),
  bomb('objects with many keys', 'const o = {}; for (let i = 0; ; i++) o["key" + i] = i'),
  bomb('closures', 'const a = []; for (;;) { const held = new Array(1000); a.push(() => held) }'),
  bomb('pending promises', 'const a = []; for (;;) a.push(new Promise(() => {}))'),
  bomb('symbols', 'const a = []; for (let i = 0; ; i++) a.push(Symbol.for("s" + i))'),
  bomb('padding', 'for (;;) "x".padStart(2 ** 28)'),
  bomb(
    'replace that multiplies',
    'let s = "aaaa"; for (;;) { try { s = s.replaceAll("a", "aa") } catch { s = "aaaa" } }',
  ),
  bomb('log without end', 'for (;;) ctx.log("info", "x".repeat(8000))'),
  bomb('events without end', 'for (;;) ctx.emit("x".repeat(60_000))'),
  bomb(
    'host calls without end',
    'for (;;) await Promise.all(Array.from({ length: 64 }, () => ctx.artifacts.get("x".repeat(10_000))))',
  ),
  bomb(
    'host calls with large arguments',
    'for (;;) await ctx.artifacts.put("k", "x".repeat(4_000_000)).catch(() => {})',
  ),
];

const pythonBomb = (name: string, code: string): Bomb => ({
  name,
  script: `def execute(ctx):\n${code
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')}\n`,
});

/** Bombs in Python: processor time, memory, and the host. */
export const PYTHON_BOMBS: readonly Bomb[] = [
  pythonBomb('endless loop', 'while True: pass'),
  pythonBomb('huge power', 'return 9 ** (9 ** 9)'),
  pythonBomb('endless generator', 'return sum(1 for _ in iter(int, 1))'),
  pythonBomb('list of bytes', 'held = []\nwhile True: held.append(bytearray(4_000_000))'),
  pythonBomb('string that doubles', 's = "x" * 1_000_000\nwhile True: s += s'),
  pythonBomb('log without end', 'while True: ctx.log("info", "x" * 8000)'),
  pythonBomb('events without end', 'while True: ctx.emit("x" * 60_000)'),
];
