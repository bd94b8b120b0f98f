// Writes the code cache of a program: `node [flags] code-cache.mjs LOADER PROGRAM FILE…`. It runs with the flags that the
// program will have, for V8 rejects what was compiled under others.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const [loader, program, ...files] = process.argv.slice(2);
const { cacheOf, load } = await import(loader);
const scripts = [];
load(program, files, (name, script) => scripts.push([cacheOf(program, name), script]));
// After all of them: a file that is loaded runs functions of others.
for (const [path, script] of scripts) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, script.createCachedData());
}
// Some packages hold a timer or a socket from the moment they are loaded.
process.exit(0);
