// The test runner of jest: jest-circus, with spec files loaded by `SpecModules` in the realm of the worker itself. An
// error, an array or a class is then the same in a spec, in the code under test and in Node.

import circusModule from 'jest-circus/runner';
import { budgetOf } from '../check/budgets.mjs';
import { isOfSystem } from '../check/system-specs.mjs';
import { cpuSeconds } from './cpu-time.mjs';
import { SpecModules } from './spec-modules.mjs';

const GLOBALS = ['describe', 'it', 'test', 'expect', 'beforeAll', 'beforeEach', 'afterEach', 'afterAll', 'console'];
/**
 * Time limits of tests and hooks only end what hangs. The machine may become slower during the run, and each wait of a
 * test may take three times as long (`HANGS` of `eventually`).
 */
const LIMITS = 6 * Number(process.env.TEST_TIME_SCALE ?? 1);

/** In ms since 1970: specs of the whole platform are to have ended by then. */
const SYSTEM_UNTIL = Number(process.env.SYSTEM_SPECS_UNTIL ?? Infinity);
/** Of its budget, and at least: what a file took at most on the slowest machine so far, next to two others. */
const SLOWEST = { budgets: 7, ms: 240_000 };

const mayTakeMs = (path) => Math.max(SLOWEST.ms, SLOWEST.budgets * budgetOf(path).seconds * 1000);

function scaleLimits(state) {
  const scale = (each) => each.timeout && (each.timeout *= LIMITS);
  const scaleBlock = ({ hooks, children }) => {
    hooks.forEach(scale);
    for (const child of children) (child.type === 'test' ? scale : scaleBlock)(child);
  };
  scaleBlock(state.rootDescribeBlock);
  state.testTimeout *= LIMITS;
}

/** What `expect` compares by identity, as in `expect.any(Number)` and `instanceof Error`. */
const BUILT_IN = [
  'Array',
  'BigInt',
  'Boolean',
  'Date',
  'Error',
  'Function',
  'Map',
  'Number',
  'Object',
  'Promise',
].concat(['RegExp', 'Set', 'String', 'Symbol', 'TypeError']);

// A worker whose run was interrupted ends, and its servers with it, instead of going through the rest of its file.
if (process.send) process.once('disconnect', () => process.exit(1));

/** The result of a file that was not begun: one pending test says so. */
function leftOut(path) {
  const now = Date.now();
  const title = 'is left out, because it might not end in the time for specs of the whole platform';
  const none = { added: 0, matched: 0, unchecked: 0, uncheckedKeys: [], unmatched: 0, updated: 0, fileDeleted: false };
  return {
    isLeftOut: true,
    skipped: true,
    leaks: false,
    openHandles: [],
    testFilePath: path,
    perfStats: { start: now, end: now, runtime: 0, slow: false },
    snapshot: none,
    numFailingTests: 0,
    numPassingTests: 0,
    numPendingTests: 1,
    numTodoTests: 0,
    testResults: [
      { ancestorTitles: [], failureDetails: [], failureMessages: [], title, fullName: title, status: 'pending' },
    ],
  };
}

/** Runs a spec file; the result says what CPU time it took. */
export default async function specRunner(globalConfig, config, environment, runtime, path, send) {
  if (isOfSystem(path) && Date.now() + mayTakeMs(path) > SYSTEM_UNTIL) return leftOut(path);
  for (const name of BUILT_IN) environment.global[name] = globalThis[name];
  // Fake timers replace those of the realm that the spec runs in.
  environment.fakeTimersModern = new environment.fakeTimersModern.constructor({ config, global: globalThis });
  environment.handleTestEvent = (event, state) => event.name === 'run_start' && scaleLimits(state);
  const { console } = globalThis;
  runtime.unstable_importModule = async (file) => {
    for (const name of GLOBALS) globalThis[name] = environment.global[name];
    await new SpecModules({ jest: runtime.jestGlobals.jestObjectFor(file) }).run(file);
  };
  const before = cpuSeconds();
  try {
    const result = await circusModule.default(globalConfig, config, environment, runtime, path, send);
    return { ...result, cpuSeconds: cpuSeconds() - before };
  } finally {
    globalThis.console = console;
  }
}
