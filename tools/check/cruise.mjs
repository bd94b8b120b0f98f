// Checks the import rules over the sources. It calls dependency-cruiser as a library because the
// command line refuses Node 20, which the product supports and the library runs on.

import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise } from 'dependency-cruiser';

const require = createRequire(import.meta.url);
const { filesUnder } = require('./files-under.cjs');
const { importRules } = require('./import-rules.cjs');
const { options } = require('../../.dependency-cruiser.cjs');

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDERS = ['libs', 'apps', 'test', 'bench'];

/** The violations of the import rules in the tree at `root`, and how many files were read. */
export async function violationsIn(root, tsConfigFile) {
  const files = FOLDERS.flatMap((folder) => filesUnder(root, folder, (file) => /\.m?ts$/.test(file)));
  const { output } = await cruise(files, {
    ...options,
    validate: true,
    baseDir: root,
    tsConfig: { fileName: tsConfigFile },
    ruleSet: { forbidden: importRules(root) },
  });
  return { violations: output.summary.violations, cruised: files.length };
}

function sentence({ rule, from, to, cycle, comment }) {
  const path = cycle ? [from, ...cycle.map(({ name }) => name)].join(' → ') : `${from} → ${to}`;
  return `${rule.name}: ${path}${comment ? `\n  ${comment}` : ''}`;
}

async function main() {
  const { violations, cruised } = await violationsIn(ROOT, resolve(ROOT, 'tools/check/tsconfig.cruise.json'));
  const comments = new Map(importRules(ROOT).map(({ name, comment }) => [name, comment]));
  for (const violation of violations) {
    console.error(sentence({ ...violation, comment: comments.get(violation.rule.name) }));
  }
  console.log(`${cruised} files cruised, ${violations.length} violations of the import rules`);
  process.exitCode = violations.length > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
