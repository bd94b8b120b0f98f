import type { Contract } from '@signalbox/contracts';
import type { ApiEndpoints } from '../api-endpoints.js';
import type { Tool } from '../tool.js';
import { apiTools } from './api.tools.js';
import { find } from './find.tool.js';
import { checkRelease, moveRelease, publish } from './release.tools.js';
import { compareRuns, explainRun, getRun } from './run.tools.js';
import { execute, invoke, runTests } from './start.tools.js';

export const toolsOver = (contracts: readonly Contract[], endpoints: ApiEndpoints): Tool[] => [
  find,
  ...apiTools(contracts, endpoints),
  getRun,
  explainRun,
  compareRuns,
  checkRelease,
  invoke,
  execute,
  runTests,
  publish,
  moveRelease,
];

export { runAnswer } from './run.tools.js';
export { findRun, type FoundRun } from './runs.js';
