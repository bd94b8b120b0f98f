// The packages that programs of the image load; all others are in the bundles. `node tools/image-packages.mjs` prints their
// folders; with `--prune` it deletes the others, as the image does: no test and no build works afterwards.
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** What processes start that is no bundle: the child that executes scripts, and the thread of conditions. */
const PROGRAMS = ['apps/runner/dist/src/child/main.js', 'libs/conditions/dist/src/threads/evaluation-worker.js'];
/** What the runner finds by its name. */
const NAMED = ['@jitl/quickjs-ffi-types', '@swc/wasm-typescript', 'pyodide'];
const IMPORTED = /(?:\bfrom|\bimport|\bresolve)\s*\(?\s*["']([^"'\s]+)["']/g;

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));
const nameOf = (id) => id.split('/', id.startsWith('@') ? 2 : 1).join('/');

/** The folder of a package as a file in a folder finds it; undefined where it is not installed. */
function folderOf(name, from) {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    if (existsSync(join(found, 'package.json'))) return found;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Adds a package with all that it depends on. */
function addPackage(kept, name, from) {
  const folder = folderOf(name, from);
  if (folder === undefined || kept.has(folder)) return;
  kept.add(folder);
  const { dependencies, optionalDependencies, peerDependencies } = readJson(join(folder, 'package.json'));
  for (const each of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
    addPackage(kept, each, folder);
}

/** Adds the packages that a compiled file imports, and those that its own files do. */
function addImportsOf(kept, file, seen = new Set()) {
  if (seen.has(file) || !statSync(file, { throwIfNoEntry: false })?.isFile()) return;
  seen.add(file);
  for (const [, id] of readFileSync(file, 'utf8').matchAll(IMPORTED)) {
    if (id.startsWith('.')) addImportsOf(kept, join(dirname(file), id), seen);
    else if (!isBuiltin(id)) addPackage(kept, nameOf(id), dirname(file));
  }
}

/** The folders of the packages that the image needs; it has no optional ones. */
export function keptPackages() {
  const kept = new Set();
  const bundles = join(ROOT, 'dist/services');
  for (const id of readJson(join(bundles, 'packages.json'))) addPackage(kept, nameOf(id), bundles);
  for (const program of PROGRAMS) addImportsOf(kept, join(ROOT, program));
  for (const name of NAMED) addPackage(kept, name, join(ROOT, 'apps/runner'));
  return kept;
}

/** The folders of packages directly in a folder with `node_modules`. Those of this repository are links. */
function packagesIn(folder) {
  const modules = join(folder, 'node_modules');
  const names = existsSync(modules) ? readdirSync(modules).filter((name) => !name.startsWith('.')) : [];
  return names
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(modules, name)).map((each) => `${name}/${each}`) : name,
    )
    .map((name) => join(modules, name))
    .filter((path) => lstatSync(path).isDirectory());
}

function prune(folder, kept) {
  for (const path of packagesIn(folder))
    if (kept.has(path)) prune(path, kept);
    else if (![...kept].some((each) => each.startsWith(`${path}/`))) rmSync(path, { recursive: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const kept = keptPackages();
  for (const folder of kept) console.log(relative(ROOT, folder));
  if (process.argv.includes('--prune')) {
    const own = ['apps', 'libs'].flatMap((name) => readdirSync(join(ROOT, name)).map((each) => join(ROOT, name, each)));
    for (const folder of [ROOT, ...own]) prune(folder, kept);
  }
}
