// Proves the import and lint rules by planted violations, so that a rule that stopped firing is noticed.

import { plantedImports } from './planted-imports.mjs';
import { plantedLint } from './planted-lint.mjs';

const results = [...(await plantedImports()), ...(await plantedLint())];
const failed = results.filter(({ problem }) => problem);

for (const { name, problem } of failed) console.error(`${name}: ${problem}`);
console.log(`${results.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length > 0 ? 1 : 0;
