// `npm run check`: everything that must hold before a change is merged, one line per step.
//   --skip-tests                     leave the test suite out
//   --after-tests [--tests-exit N]   judge the totals of an earlier run in TEST_TOTALS instead of running it
//   --long NAME,NAME                 run these long specs as well, while the other steps run
// Uses nothing but Node, so that it can report failures even when the installation did.

import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './check/run.mjs';
import { readTotals } from './check/totals.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TOTALS = process.env.TEST_TOTALS ?? join(ROOT, '.cache/test-totals.jsonl');
const LONG_TOTALS = join(ROOT, '.cache/long-test-totals.jsonl');
const AT_A_TIME = 2;

const bin = (path) => join(ROOT, 'node_modules', path);
const node = (...args) => [process.execPath, ...args];

const CACHE = ['--cache', '--cache-strategy', 'content', '--cache-location'];
const STATIC = [
  { name: 'lint', command: node(bin('eslint/bin/eslint.js'), '.', '--max-warnings', '0', ...CACHE, '.cache/eslint') },
  { name: 'format', command: node(bin('prettier/bin/prettier.cjs'), '--check', '.', ...CACHE, '.cache/prettier') },
  { name: 'imports', command: node('tools/check/cruise.mjs') },
  { name: 'folders', command: node('tools/check/folder-sizes.mjs') },
  { name: 'words', command: node('tools/check/prose.mjs') },
  { name: 'unused', command: node('tools/check/unused.mjs') },
  { name: 'violations', command: node('tools/check/violations.mjs'), counts: true },
];
const TYPES = { name: 'types', command: node(bin('typescript/bin/tsc'), '-b') };
// Examples compile against the built libs.
const READMES = { name: 'readmes', command: node('tools/check/readmes.mjs') };
const TESTS = { name: 'tests', command: node('tools/test.mjs'), env: { TEST_TOTALS: TOTALS }, live: true };

const sum = { passed: 0, failed: 0 };

function add({ passed, failed }) {
  sum.passed += passed;
  sum.failed += failed;
}

function report({ name, seconds, ok, output }, counts) {
  console.log(`${ok ? 'ok    ' : 'FAILED'}  ${name.padEnd(8)} ${seconds.toFixed(1).padStart(6)} s`);
  if (!ok) console.log(output);
  const counted = counts && /(\d+) passed, (\d+) failed\s*$/.exec(output);
  if (counted) add({ passed: Number(counted[1]), failed: Number(counted[2]) });
  // A step that counts nothing still fails the run.
  if (!ok && !(counted && Number(counted[2]) > 0)) add({ passed: 0, failed: 1 });
  return ok;
}

/** Starts steps while fewer than `lanes` run and none has failed; true when all succeeded. */
async function together(steps, lanes = AT_A_TIME) {
  const waiting = [...steps];
  let well = true;
  async function lane() {
    for (let step = waiting.shift(); step && well; step = waiting.shift()) {
      if (!report(await run(step, ROOT), step.counts)) well = false;
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane));
  return well;
}

const alone = (step) => together([step]);

/** The exit code of a run of tests counts too: it can fail without a failing test. */
function judgeTests({ name, code, seconds = null }, file = TOTALS) {
  const totals = readTotals(file);
  const well = code === 0 && totals.failed === 0 && totals.passed > 0;
  add(well || totals.failed > 0 ? totals : { ...totals, failed: 1 });
  const took = seconds === null ? ' before' : `${seconds.toFixed(1).padStart(6)} s`;
  console.log(`${well ? 'ok    ' : 'FAILED'}  ${name.padEnd(8)} ${took}`);
  if (!well)
    console.log(`The ${name} run ended with exit code ${code}, ${totals.passed} passed, ${totals.failed} failed.`);
  return well;
}

async function runTests() {
  mkdirSync(dirname(TOTALS), { recursive: true });
  rmSync(TOTALS, { force: true });
  return judgeTests(await run(TESTS, ROOT));
}

/** Long specs wait for most of their time: they leave the processors to the steps next to them. */
async function runLong(names) {
  mkdirSync(dirname(LONG_TOTALS), { recursive: true });
  rmSync(LONG_TOTALS, { force: true });
  const command = node('tools/test.mjs', '--long', `--maxWorkers=${AT_A_TIME}`, ...names);
  const ended = await run({ name: 'long', command, env: { TEST_TOTALS: LONG_TOTALS } }, ROOT);
  const well = judgeTests(ended, LONG_TOTALS);
  if (!well) console.log(ended.output);
  return well;
}

function argument(name, otherwise) {
  const at = process.argv.indexOf(name);
  return at < 0 ? otherwise : process.argv[at + 1];
}

async function check() {
  const after = process.argv.includes('--after-tests');
  if (after && !judgeTests({ name: 'tests', code: Number(argument('--tests-exit', '0')) })) return false;
  const long = argument('--long', '').split(',').filter(Boolean);
  const [longIsWell, isWell] = await Promise.all([
    long.length === 0 || runLong(long),
    // Next to long tests one step at a time, so that they get their share of the processors.
    together(STATIC, long.length === 0 ? AT_A_TIME : 1).then(
      async (well) => well && (await alone(TYPES)) && alone(READMES),
    ),
  ]);
  if (!longIsWell || !isWell) return false;
  return after || process.argv.includes('--skip-tests') || runTests();
}

const well = await check();
console.log(`${sum.passed} passed, ${sum.failed} failed`);
process.exitCode = well ? 0 : 1;
