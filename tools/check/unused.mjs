// Reports unused files, exports and dependencies. A workspace that has its package file but no code
// yet has nothing to be judged by, so its findings wait until its first line is written.

import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const { filesUnder } = require('./files-under.cjs');

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const KNIP = join(ROOT, 'node_modules/knip/bin/knip.js');

const isShell = (file) => readFileSync(join(ROOT, file), 'utf8').trim() === 'export {};';

/** The folders whose code must have begun before a finding in the file means anything. */
function foldersOf(file) {
  // The root's packages serve the benchmarks as well as the tests.
  if (file === 'package.json') return ['bench', 'test'];
  const workspace = /^(apps|libs)\/[^/]+/.exec(file)?.[0];
  return workspace ? [workspace] : [];
}

function hasBegun(file) {
  return foldersOf(file).every((folder) =>
    filesUnder(ROOT, folder, (path) => /\.m?[tj]s$/.test(path)).some((path) => !isShell(path)),
  );
}

function findings({ file, ...kinds }) {
  return Object.entries(kinds).flatMap(([kind, items]) =>
    (Array.isArray(items) ? items : []).map(
      (item) => `${kind}: ${nameOf(item)} in ${file}${item.line ? `:${item.line}` : ''}`,
    ),
  );
}

const nameOf = (item) => (Array.isArray(item) ? item.map(({ name }) => name).join(', ') : item.name);

const { stdout, stderr, status } = spawnSync(
  process.execPath,
  [KNIP, '--reporter', 'json', '--no-progress', '--no-exit-code'],
  { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
);
if (status !== 0) {
  console.error(stdout + stderr);
  process.exit(1);
}
const unused = JSON.parse(stdout)
  .issues.filter(({ file }) => hasBegun(file))
  .flatMap(findings);
for (const finding of unused) console.error(finding);
console.log(`${unused.length} unused or unlisted`);
process.exitCode = unused.length > 0 ? 1 : 0;
