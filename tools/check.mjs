// `npm run check`: everything that must hold before a change is merged, one line per step.
//   --skip-tests       leave the test suite out
//   --with-tests       prepare the clone, then run the test suite and next to it the other steps
//   --long NAME,NAME   the test suite has these long specs as well
//   --minutes N        with --with-tests: specs of the whole platform that might not end by then are left out and listed
// Uses nothing but Node, so that it can report failures even when the installation did.

import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './check/run.mjs';
import { readTotals } from './check/totals.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TOTALS = process.env.TEST_TOTALS ?? join(ROOT, '.cache/test-totals.jsonl');
const AT_A_TIME = 2;

const bin = (path) => join(ROOT, 'node_modules', path);
// What these programs allocate lives for one file: in a small young generation each collection copies it.
const node = (...args) => [process.execPath, '--max-semi-space-size=128', ...args];

const CACHE = ['--cache', '--cache-strategy', 'content', '--cache-location'];
const STATIC = [
  { name: 'lint', command: node(bin('eslint/bin/eslint.js'), '.', '--max-warnings', '0', ...CACHE, '.cache/eslint') },
  { name: 'format', command: node(bin('prettier/bin/prettier.cjs'), '--check', '.', ...CACHE, '.cache/prettier') },
  { name: 'imports', command: node('tools/check/cruise.mjs') },
  { name: 'links', command: node('tools/check/links.mjs') },
  { name: 'unused', command: node('tools/check/unused.mjs') },
  { name: 'violations', command: node('tools/check/violations.mjs'), counts: true },
];
const TYPES = { name: 'types', command: node(bin('typescript-7/bin/tsc'), '-b') };
// Examples compile against the built libs.
const READMES = { name: 'readmes', command: node('tools/check/readmes.mjs') };
// The statements of migrations are those of the compiled files.
const MIGRATIONS = { name: 'migrations', command: node('tools/check/migrations.mjs') };
const PACKAGES = { name: 'packages', command: node('tools/bootstrap.mjs', '--packages'), live: true };
const PREPARE = { name: 'prepare', command: node('tools/bootstrap.mjs'), live: true };
// The command of the README that runs everything `npm test` does, and the specs of the whole platform.
const TESTS = { name: 'tests', command: ['npm', 'run', 'test:all', '--'], env: { TEST_TOTALS: TOTALS }, live: true };

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

/** The exit code of a run of tests counts too: it can fail without a failing test. */
function judgeTests({ name, code, seconds }) {
  const totals = readTotals(TOTALS);
  const well = code === 0 && totals.failed === 0 && totals.passed > 0;
  add(well || totals.failed > 0 ? totals : { ...totals, failed: 1 });
  console.log(`${well ? 'ok    ' : 'FAILED'}  ${name.padEnd(8)} ${seconds.toFixed(1).padStart(6)} s`);
  if (!well)
    console.log(`The ${name} run ended with exit code ${code}, ${totals.passed} passed, ${totals.failed} failed.`);
  return well;
}

/** Runs the test suite, and with it the named long specs. */
async function runTests(long, env = {}) {
  mkdirSync(dirname(TOTALS), { recursive: true });
  rmSync(TOTALS, { force: true });
  return judgeTests(
    await run(
      {
        ...TESTS,
        command: [...TESTS.command, ...(long ? [`--with-long=${long}`] : [])],
        env: { ...TESTS.env, ...env },
      },
      ROOT,
    ),
  );
}

/** The steps that need nothing compiled, and once `prepared` resolves to true, the others. */
const runStatic = async (lanes, prepared = Promise.resolve(true)) => {
  const isWell = (await together(STATIC, lanes)) && (await prepared);
  return isWell && (await together([TYPES])) && together([READMES, MIGRATIONS]);
};

function argument(name, otherwise) {
  const at = process.argv.indexOf(name);
  return at < 0 ? otherwise : process.argv[at + 1];
}

/**
 * Compiling and tests leave processor time unused, which the other steps take. At a low priority they would take longer
 * than the tests where the machine has other work.
 */
async function checkWithTests() {
  const minutes = argument('--minutes');
  const env = minutes ? { SYSTEM_SPECS_UNTIL: String(Date.now() + minutes * 60_000) } : {};
  if (!(await together([PACKAGES]))) return false;
  const prepared = together([PREPARE]);
  const isStaticWell = runStatic(1, prepared);
  const areTestsWell = (await prepared) && (await runTests(argument('--long', ''), env));
  return (await isStaticWell) && areTestsWell;
}

async function check() {
  if (process.argv.includes('--with-tests')) return checkWithTests();
  return (await runStatic(AT_A_TIME)) && (process.argv.includes('--skip-tests') || runTests(''));
}

const well = await check();
console.log(`${sum.passed} passed, ${sum.failed} failed`);
process.exitCode = well ? 0 : 1;
