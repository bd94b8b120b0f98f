// Loads a program from the files that tools/bundle.mjs wrote next to this one. V8 compiles nothing anew
// that is in the code cache of its group, the programs with the same flags; it rejects what another version or other flags have written, and compiles.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import vm from 'node:vm';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const requirePackage = createRequire(import.meta.url);
const importModule = (specifier) => import(specifier);
/** A file is evaluated once in a process, whichever program it belongs to. */
const modules = new Map();

/** The file with the compiled functions of a file of the bundle, as far as loading a program of the group has run them. */
export const cacheOf = (group, file) => `${FOLDER}${group}.cache/${file}`;

function readCache(group, file) {
  try {
    return readFileSync(cacheOf(group, file));
  } catch {
    return undefined;
  }
}

/** The files are ASCII, so V8 keeps one byte for each character. */
const scriptOf = (group, file) =>
  new vm.Script(readFileSync(FOLDER + file, 'latin1'), {
    filename: FOLDER + file,
    cachedData: readCache(group, file),
  });

/**
 * Evaluates files of the bundle, and before each what it requires of the others; returns the exports of the first.
 * `loaded` receives each file with its script.
 */
export function load(group, files, loaded = () => undefined) {
  // Before every class: the order of files across bundles is not that of their imports.
  requirePackage('reflect-metadata');
  const evaluate = (name) => {
    const known = modules.get(name);
    if (known) return known.exports;
    const script = scriptOf(group, name);
    const module = { exports: {} };
    modules.set(name, module);
    const require = (id) => (id.startsWith('./') ? evaluate(id.slice(2)) : requirePackage(id));
    const path = FOLDER + name;
    const address = pathToFileURL(path).href;
    script.runInThisContext()(module.exports, require, module, path, FOLDER, address, importModule);
    loaded(name, script);
    return module.exports;
  };
  return files.map(evaluate)[0];
}
