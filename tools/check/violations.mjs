// Proves the import and lint rules by deliberate violations, so that a rule that stopped firing is detected.

import { fileURLToPath } from 'node:url';
import { brokenLinks, missingPaths, wrongNumbers } from './links.mjs';
import { violationsOfImports } from './violations-imports.mjs';
import { violationsOfLint } from './violations-lint.mjs';
import { violationsOfMigrations } from './violations-migrations.mjs';

/** A file, a heading and a path that do not exist are found; those that do, and code, are not. */
function violationsOfLinks() {
  const file = fileURLToPath(import.meta.url);
  const text =
    '# Page\n\n[a](links.mjs) [b](gone.md) [c](#page) [d](#nowhere) `[e](gone.md)`\n`libs/bus` `libs/gone.ts` `apps/agents/dist/test/gone.spec.js`\n';
  const found = [...brokenLinks(file, text), ...missingPaths(file, text)];
  const problem = found.length === 4 ? null : `found «${found.join(', ')}» instead of four`;
  return [{ name: 'links', problem }];
}

/** A number that is not that of the page, and one of no page, are found; those that are right are not. */
function violationsOfNumbers() {
  const text = '[001](decisions/002-a.md) [ADR 002](decisions/002-a.md) (decision 000) decision 001 measurement 010\n';
  const found = wrongNumbers('page.md', text);
  const problem = found.length === 2 ? null : `found «${found.join(', ')}» instead of two`;
  return [{ name: 'numbers of decisions', problem }];
}

const results = [
  ...(await violationsOfImports()),
  ...(await violationsOfLint()),
  ...(await violationsOfMigrations()),
  ...violationsOfLinks(),
  ...violationsOfNumbers(),
];
const failed = results.filter(({ problem }) => problem);

for (const { name, problem } of failed) console.error(`${name}: ${problem}`);
console.log(`${results.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length > 0 ? 1 : 0;
