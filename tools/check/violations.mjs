// Proves the import and lint rules by deliberate violations, so that a rule that stopped firing is detected.

import { violationsOfImports } from './violations-imports.mjs';
import { violationsOfLint } from './violations-lint.mjs';

const results = [...(await violationsOfImports()), ...(await violationsOfLint())];
const failed = results.filter(({ problem }) => problem);

for (const { name, problem } of failed) console.error(`${name}: ${problem}`);
console.log(`${results.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length > 0 ? 1 : 0;
