// Each file opens with `// expect: <rule>`; that rule, and no other, must be reported in it. `// expect: nothing`
// marks code that the rules must accept, constructor injection first of all.

import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';
import { BANS } from './bans.mjs';
import { lintConfig } from './lint-config.mjs';

const TREE = fileURLToPath(new URL('../../test/fixtures/deliberate-violations/lint', import.meta.url));

const EXPECTATION = /^\/\/ expect: (\S+)\n/;

function expectationOf(file) {
  return EXPECTATION.exec(readFileSync(file, 'utf8'))?.[1] ?? 'a line that says what to expect';
}

function judge({ filePath, messages }) {
  const expected = expectationOf(filePath);
  const reported = [...new Set(messages.map(({ ruleId, message }) => ruleId ?? message))].sort();
  const actual = reported.join(', ') || 'nothing';
  const name = `${relative(TREE, filePath)} (${expected})`;
  return { name, expected, problem: actual === expected ? null : `reported: ${actual}` };
}

/** One result `{ name, problem }` per file, and one per ban that no file proves. */
export async function violationsOfLint() {
  const eslint = new ESLint({ cwd: TREE, overrideConfigFile: true, overrideConfig: lintConfig(TREE) });
  const results = (await eslint.lintFiles(['.'])).map(judge);
  const proved = new Set(results.map(({ expected }) => expected.replace(/^signalbox\/(.*)-\w+$/, '$1')));
  const unproved = BANS.filter(({ name }) => !proved.has(name));
  return [...results, ...unproved.map(({ name }) => ({ name, problem: 'no deliberate violation proves this ban' }))];
}
