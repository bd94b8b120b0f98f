// Each import rule has a mini-tree named after it in which that rule, and no other, must fire.
// The tree `nothing` holds every import the rules allow.

import { createRequire } from 'node:module';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { violationsIn } from './cruise.mjs';

const require = createRequire(import.meta.url);
const { importRules } = require('./import-rules.cjs');

const TREES = fileURLToPath(new URL('../../test/fixtures/deliberate-violations/imports', import.meta.url));
const CLEAN = 'nothing';
/** Trees reach into other workspaces by relative paths, which this rule reports next to the deliberate one. */
const RELATIVE = 'no-deep-import-into-a-workspace';

/** `@signalbox/x` must resolve inside the tree of violations, so the alias is written for each. */
function aliasFile(folder, tree) {
  const file = join(folder, 'tsconfig.json');
  const paths = { '@signalbox/*': [join(tree, 'libs/*/src/index.ts')] };
  const compilerOptions = { module: 'nodenext', moduleResolution: 'nodenext', paths };
  writeFileSync(file, JSON.stringify({ compilerOptions, files: [] }));
  return file;
}

async function fired(name, folder) {
  const tree = join(TREES, name);
  const { violations } = await violationsIn(tree, aliasFile(folder, tree));
  return [...new Set(violations.map(({ rule }) => rule.name))].sort();
}

/** One result `{ name, problem }` per tree of violations, and one per rule that has no tree. */
export async function violationsOfImports() {
  const trees = readdirSync(TREES);
  const unproved = importRules(TREES).filter(({ name }) => !trees.includes(name));
  const results = unproved.map(({ name }) => ({ name, problem: 'no deliberate violation proves this rule' }));
  for (const name of trees) {
    const folder = mkdtempSync(join(tmpdir(), 'violations-'));
    const expected = name === CLEAN ? '' : name;
    const actual = (await fired(name, folder)).filter((rule) => rule === name || rule !== RELATIVE).join(', ');
    rmSync(folder, { recursive: true });
    results.push({ name, problem: actual === expected ? null : `fired: ${actual || 'nothing'}` });
  }
  return results;
}
