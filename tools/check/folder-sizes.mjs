// Checks that no folder of sources holds more files than a reader takes in at once; a larger one is divided by resource.

import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const { filesUnder } = require('./files-under.cjs');

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAX_FILES = 16;

/** Specs stand next to what they test, and migrations are a history. */
const isCounted = (file) => /\/src\/.*\.ts$/.test(file) && !/\.spec\.ts$|\/migrations\//.test(file);

/** The folders among these files that hold too many sources, each with their number. */
export function crowdedFolders(files) {
  const counts = new Map();
  for (const folder of files.filter(isCounted).map(dirname)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > MAX_FILES).map(([folder, count]) => ({ folder, count }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const crowded = crowdedFolders(['libs', 'apps'].flatMap((folder) => filesUnder(ROOT, folder, isCounted)));
  for (const { folder, count } of crowded)
    console.error(`${folder} has ${count} source files, at most ${MAX_FILES}: divide it by resource`);
  process.exitCode = crowded.length > 0 ? 1 : 0;
}
