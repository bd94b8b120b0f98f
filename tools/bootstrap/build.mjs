import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run, say } from './repository.mjs';

const MARK = join(ROOT, 'node_modules/.signalbox-build');
const SOURCES = ['apps', 'libs', 'bench', 'test'];
const PASSED_OVER = new Set(['node_modules', 'dist']);
const COMPILED = /(\.(ts|tsx|mts|cts|css)|tsconfig[^/]*\.json|package\.json)$/;

function* filesBelow(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) {
      if (!PASSED_OVER.has(entry.name)) yield* filesBelow(path);
    } else if (COMPILED.test(entry.name)) yield path;
  }
}

/**
 * Names, sizes and times of everything the compiler reads of our sources: cheap, and wrong only towards building too
 * often.
 */
function fingerprint() {
  const hash = createHash('sha256');
  const roots = SOURCES.map((name) => join(ROOT, name)).filter((path) => existsSync(path));
  const files = [...roots.flatMap((path) => [...filesBelow(path)]), ...topLevel()];
  for (const path of files.sort()) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function topLevel() {
  const bundling = readdirSync(join(ROOT, 'tools/bundle')).map((name) => `tools/bundle/${name}`);
  return ['tsconfig.json', 'tsconfig.base.json', 'package-lock.json', 'tools/bundle.mjs', ...bundling].map((name) =>
    join(ROOT, name),
  );
}

function everyProjectHasOutput() {
  return (
    existsSync(join(ROOT, 'dist/services/gateway.js')) &&
    existsSync(join(ROOT, 'dist/portal/index.html')) &&
    ['apps', 'libs'].every((group) =>
      readdirSync(join(ROOT, group)).every(
        (name) =>
          !existsSync(join(ROOT, group, name, 'tsconfig.json')) || existsSync(join(ROOT, group, name, 'dist/src')),
      ),
    )
  );
}

function builtFingerprint() {
  try {
    return readFileSync(MARK, 'utf8');
  } catch {
    return null;
  }
}

export const ensureBuilt = {
  isNeeded: () => builtFingerprint() !== fingerprint() || !everyProjectHasOutput(),
  async run() {
    say('compiling the sources');
    // Taken before compiling: a file saved meanwhile makes the next run compile again.
    const before = fingerprint();
    await run(process.execPath, [join(ROOT, 'node_modules/typescript-7/bin/tsc'), '-b']);
    await run(process.execPath, [join(ROOT, 'tools/bundle.mjs')]);
    await run(process.execPath, [join(ROOT, 'tools/portal.mjs')]);
    writeFileSync(MARK, before);
  },
};
