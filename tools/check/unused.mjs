// Reports unused files, exports and dependencies. Findings of a workspace that has its package file but no code yet
// are deferred until its first line is written; those of a lib's exports until every app, being its users, has code.

import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const { filesUnder } = require('./files-under.cjs');

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const KNIP = join(ROOT, 'node_modules/knip/bin/knip.js');

const isShell = (file) => readFileSync(join(ROOT, file), 'utf8').trim() === 'export {};';

const begun = (folder) => filesUnder(ROOT, folder, (path) => /\.m?[tj]s$/.test(path)).some((path) => !isShell(path));

const appFolders = () => readdirSync(join(ROOT, 'apps')).map((name) => `apps/${name}`);

/** The folders that must have code before a finding of the kind in the file counts. */
function foldersOf(file, kind) {
  // The root's packages serve the benchmarks as well as the tests.
  if (file === 'package.json') return ['bench', 'test'];
  const workspace = /^(apps|libs)\/[^/]+/.exec(file)?.[0];
  if (!workspace) return [];
  const isExport = kind === 'exports' || kind === 'types';
  return workspace.startsWith('libs/') && isExport ? [workspace, ...appFolders()] : [workspace];
}

function findings({ file, ...kinds }) {
  return Object.entries(kinds).flatMap(([kind, items]) =>
    items.map((item) => ({
      text: `${kind}: ${nameOf(item)} in ${file}${item.line ? `:${item.line}` : ''}`,
      due: foldersOf(file, kind).every(begun),
    })),
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
const all = JSON.parse(stdout).issues.flatMap(findings);
const due = all.filter((finding) => finding.due);
for (const { text } of process.argv.includes('--all') ? all : due) console.error(text);
console.log(`${due.length} unused or unlisted, ${all.length - due.length} deferred until their users have code`);
process.exitCode = due.length > 0 ? 1 : 0;
