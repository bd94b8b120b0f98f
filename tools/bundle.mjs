// Joins the compiled files of every service and of the packages it uses into few files below `dist/services`, and stores
// what V8 compiles of them: a process that loads two thousand modules one by one spends a second on finding them, and one
// that compiles them half a second.
//   node tools/bundle.mjs [FLAGS]   the Node flags that services run with; those of the launcher when there are none
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { copyFile, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { availableParallelism } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { nodeFlagsOf } from '../libs/servers/dist/src/node-flags.js';
import { isCurrent, recordInputs } from './bundle/inputs.mjs';
import { nameOnlyRenamed } from './bundle/names.mjs';
import { asProgram, asScript } from './bundle/scripts.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'dist/services');
const FLAGS = process.argv.slice(2);
const BARE = /^[^./]/;

/** A file keeps the address it was compiled to: threads, child programs and assets are found from there. */
const ownAddresses = {
  name: 'own-addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\/(apps|libs)\/[^/]+\/dist\/.*\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const isMain = mains.has(path);
      if (!isMain && !text.includes('import.meta.url')) return undefined;
      const address = `new URL(${JSON.stringify(relative(OUT, path))}, import.meta.url).href`;
      const contents = text.replaceAll('import.meta.url', `(${address})`);
      return { contents: isMain ? asProgram(contents) : contents, loader: 'js', resolveDir: dirname(path) };
    });
  },
};

/** Packages that a library can use and that are not installed are looked for when they are used, as without a bundle. */
const optionalPackages = {
  name: 'optional-packages',
  setup({ onResolve, resolve }) {
    onResolve({ filter: BARE }, async ({ path, pluginData, ...from }) => {
      if (pluginData === 'second') return undefined;
      const { errors, ...found } = await resolve(path, { ...from, pluginData: 'second' });
      return errors.length > 0 ? { path, external: true } : found;
    });
  },
};

const TYPEORM_LOADER = 'const require = createRequire(import.meta.url);';

/**
 * The module of `@nestjs/typeorm` that looks at runtime for classes of an older TypeORM would load all of TypeORM a
 * second time, from its package: 295 files in every process that has tables.
 */
const oneTypeorm = {
  name: 'one-typeorm',
  setup({ onLoad }) {
    onLoad({ filter: /\/@nestjs\/typeorm\/dist\/common\/typeorm-compat\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!text.includes(TYPEORM_LOADER)) throw new Error(`${path} does not load TypeORM as it did; look at it anew`);
      return { contents: text.replace(TYPEORM_LOADER, ''), loader: 'js', resolveDir: dirname(path) };
    });
  },
};

const compiledOf = (name, file) => join(ROOT, 'apps', name, 'dist/src', file);
const apps = readdirSync(join(ROOT, 'apps'));
const services = apps.filter((name) => name !== 'cli');
const flagsOf = (name) => (FLAGS.length > 0 ? FLAGS : nodeFlagsOf(name));
/**
 * What others start or import, by name: a program is run, or exports something, or does its work when it is loaded. A
 * module is part of the `program` that imports it.
 */
const entries = [
  ...services.map((name) => ({ name, path: compiledOf(name, 'main.js'), isRun: true, flags: flagsOf(name) })),
  { name: 'cli', path: compiledOf('cli', 'main.js'), exports: 'main', flags: FLAGS },
  // The process that migrates loads the schemas of all services and nothing else of them.
  { name: 'migrate', path: join(ROOT, 'libs/database/dist/src/schema/migration-process.js'), flags: [] },
  ...services.map((name) => {
    const path = compiledOf(name, 'migrations/index.js');
    return { name: `${name}.migrations`, path, exports: 'schema', program: 'migrate' };
  }),
  { name: 'detached', path: compiledOf('cli', 'launcher/detached-process.js'), flags: [] },
].filter(({ path }) => existsSync(path));
/** Programs with the same flags share what V8 compiled, under the name of the first of them. */
const groupOf = ({ flags }) => entries.find((each) => each.flags?.join() === flags.join()).name;
const mains = new Set(entries.filter(({ isRun }) => isRun).map(({ path }) => path));

const choice = { entries, flags: FLAGS };
if (isCurrent(ROOT, OUT, choice)) process.exit(0);
await rm(OUT, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: ROOT,
  metafile: true,
  entryPoints: entries.map(({ name, path }) => ({ in: path, out: name })),
  outdir: OUT,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Nest names providers by their classes, and the OpenAPI document its schemas.
  keepNames: true,
  // A process holds the text of what it has loaded; functions keep their names, so stacks can still be read.
  minifyWhitespace: true,
  legalComments: 'none',
  // One folder: addresses are relative to it. V8 recognizes a text by its length: what is compiled belongs to a name.
  entryNames: '[name]-[hash]',
  chunkNames: 'shared-[hash]',
  outExtension: { '.js': '.cjs' },
  // TypeORM loads the driver by its name when it connects: there must be one copy of it. Tracing is loaded only when it
  // is set, and what a bundle returns of a package in CommonJS has no named exports.
  external: ['reflect-metadata', 'pg', '@opentelemetry/*'],
  plugins: [ownAddresses, optionalPackages, oneTypeorm],
  logLevel: 'error',
});
const files = Object.keys(metafile.outputs).map((file) => join(ROOT, file));
await nameOnlyRenamed(files);
for (const file of files) await writeFile(file, await asScript(await readFile(file, 'utf8'), file));

// The packages that the bundles load: what else is installed is in them.
const loaded = Object.values(metafile.outputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
const packages = new Set(loaded.map(({ path }) => path).filter((path) => !isBuiltin(path)));
await writeFile(join(OUT, 'packages.json'), JSON.stringify([...packages].sort()));

const LOADER = join(OUT, 'load.mjs');
await copyFile(join(ROOT, 'tools/bundle/load.mjs'), LOADER);
const { outputs } = metafile;
const outputOf = ({ path }) => Object.keys(outputs).find((file) => join(ROOT, outputs[file].entryPoint ?? '') === path);

/** The files that a file imports, at once or when it needs them, and those that they import. */
function reachableFiles(file, found = new Set()) {
  for (const { path, external } of outputs[file].imports) {
    if (external || found.has(path)) continue;
    found.add(path);
    reachableFiles(path, found);
  }
  return [...found];
}

for (const entry of entries) {
  const program = entries.find(({ name }) => name === (entry.program ?? entry.name));
  const loaded = `load('${groupOf(program)}', ['${basename(outputOf(entry))}'])`;
  // Node shows the line of an error that nobody catches: half a megabyte in these files.
  const started = entry.isRun
    ? `try {\n  await ${loaded}.run();\n} catch (error) {\n  console.error(error);\n  process.exit(1);\n}`
    : loaded;
  const text = entry.exports ? `export const { ${entry.exports} } = ${loaded}` : started;
  await writeFile(join(OUT, `${entry.name}.js`), `import { load } from './load.mjs';\n${text};\n`);
}

/** Stores what V8 compiles of a program with its flags. */
async function storeCode({ name, flags }) {
  const own = entries.filter((each) => (each.program ?? each.name) === name).map(outputOf);
  const names = [...own, ...own.flatMap((file) => reachableFiles(file))].map((file) => basename(file));
  const args = [...flags, join(ROOT, 'tools/bundle/code-cache.mjs'), pathToFileURL(LOADER).href, name, ...names];
  await promisify(execFile)(process.execPath, args);
}

const waiting = entries.filter(({ program }) => program === undefined);
const lane = async () => {
  for (let next = waiting.shift(); next; next = waiting.shift()) await storeCode(next);
};
await Promise.all(Array.from({ length: availableParallelism() }, lane));

/** Of the code that programs of a group have stored of a file, keeps the largest: they differ by some functions. */
async function shareCode(group) {
  const shared = join(OUT, `${group}.cache`);
  for (const { name } of entries.filter((each) => each.flags && each.name !== group && groupOf(each) === group)) {
    const own = join(OUT, `${name}.cache`);
    for (const file of readdirSync(own)) {
      const [from, to] = [join(own, file), join(shared, file)];
      if (statSync(from).size > (statSync(to, { throwIfNoEntry: false })?.size ?? 0)) await rename(from, to);
    }
    await rm(own, { recursive: true });
  }
}
for (const group of new Set(entries.filter(({ flags }) => flags).map(groupOf))) await shareCode(group);
recordInputs(ROOT, OUT, choice, Object.keys(metafile.inputs));
