/** A hostile script: its family, what it tries, and its statements. `ctx`, `probe`, `inspect` and `found` are in scope. */
export interface Attack {
  family: string;
  name: string;
  code: string;
}

/** The attacks of a family from pairs of name and statements. */
export const family = (name: string, attacks: readonly (readonly [name: string, code: string])[]): Attack[] =>
  attacks.map(([attack, code]) => ({ family: name, name: attack, code }));

/** What an attack that reached the host would report; its value is in the environment and in a file of the host. */
export interface Canaries {
  value: string;
  file: string;
  port: number;
}

/**
 * The script of an attack. `probe` takes what may be a constructor of functions and looks for the host through it,
 * `inspect` takes any value and walks its prototypes and properties. The output lists what was found.
 */
export const scriptOf = ({ code }: Attack, { file, port }: Canaries): string => `
const reports = [];
const found = (how, what) => { reports.push('ESCAPED ' + how + ' ' + String(what)) };
const HOST = [
  'typeof process === "object" && process && JSON.stringify(process.env)',
  'typeof process === "object" && process && process.getBuiltinModule && process.getBuiltinModule("fs").readFileSync(${JSON.stringify(file)}, "utf8")',
  'typeof process === "object" && process && process.mainModule && "main module"',
  'typeof require === "function" && require("fs").readFileSync(${JSON.stringify(file)}, "utf8")',
  'typeof Deno === "object" && "Deno"', 'typeof Bun === "object" && "Bun"',
  'typeof fetch === "function" && (fetch("http://127.0.0.1:${port}/"), "fetch")',
  'typeof WebAssembly === "object" && "WebAssembly"', 'typeof SharedArrayBuffer === "function" && typeof Worker === "function" && "Worker"',
  'typeof XMLHttpRequest === "function" && "XMLHttpRequest"', 'typeof WebSocket === "function" && "WebSocket"',
  'typeof std === "object" && "std"', 'typeof os === "object" && "os"', 'typeof scriptArgs === "object" && "scriptArgs"',
  'typeof setTimeout === "function" && "timers"', 'typeof Buffer === "function" && "Buffer"', 'typeof global === "object" && "global"',
];
const probed = [], promised = [];
function report(how, value) {
  if (typeof value === 'string') found(how, value);
  else if (value && typeof value.then === 'function') promised.push(value.then((each) => report(how, each), () => {}));
  else if (value && typeof value.next === 'function') report(how, value.next().value ?? value.next());
}
function probe(make, how = 'constructor') {
  if (typeof make !== 'function') return;
  for (let index = 0; index < probed.length; index++) if (probed[index] === make) return;
  probed.push(make);
  for (const expression of HOST) {
    try { report(how, make('return (' + expression + ')')()) } catch {}
  }
}
function inspect(value, how = 'value', depth = 0) {
  if (value === null || value === undefined || depth > 3) return;
  for (let each = value, level = 0; each !== null && level < 6; level++) {
    try { probe(each.constructor && each.constructor.constructor, how); probe(each.constructor, how) } catch {}
    try { each = Object.getPrototypeOf(each) } catch { break }
  }
  if (typeof value !== 'object' && typeof value !== 'function') return;
  let keys = []; try { keys = Reflect.ownKeys(value) } catch {}
  for (const key of keys.slice(0, 30)) {
    let child; try { child = value[key] } catch (error) { child = error }
    if (typeof child === 'string' && /node:|file:\\/\\/|node_modules|\\/dist\\//.test(child)) found('a path of the host', child);
    else if (child !== value) inspect(child, how + '.' + String(key), depth + 1);
  }
}
const MARK = '__mark';
function checkFresh() {
  for (const place of [globalThis, Object.prototype, Array.prototype, Function.prototype, Promise.prototype, JSON, Math])
    if (MARK in place) found('data of an earlier run', place[MARK]);
}
function mark(value) {
  for (const place of [globalThis, Object.prototype, Array.prototype, Function.prototype, Promise.prototype, JSON, Math])
    try { Object.defineProperty(place, MARK, { value, configurable: true, writable: true, enumerable: false }) } catch {}
}
async function execute(ctx) {
  checkFresh();
  let result;
  try { result = await (async () => { ${code} })() } catch (error) { inspect(error, 'thrown') }
  inspect(result, 'result');
  for (const each of promised) await each;
  mark(ctx.input);
  return { reports };
}
`;
