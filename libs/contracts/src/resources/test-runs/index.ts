import type { evaluationCriteria } from './evaluation-criteria.js';
import type { evaluatedRuns } from './evaluated-runs.js';
import type { legacyTestRuns } from './legacy-test-runs.js';
import type { releaseGates } from './release-gates.js';
import type { testRunFiles } from './test-run-files.js';
import type { testRuns } from './test-runs.js';
import type { groupTestSets } from './test-sets/group-test-sets.js';
import type { legacyTestSets } from './test-sets/legacy-test-sets.js';
import type { testSetFiles } from './test-sets/test-set-files.js';
import type { testSetImports } from './test-sets/test-set-imports.js';
import type { testSetInputs } from './test-sets/test-set-inputs.js';
import type { testSetItems } from './test-sets/test-set-items.js';
import type { testSets } from './test-sets/test-sets.js';

export * from './evaluation-criteria.js';
export * from './evaluated-runs.js';
export * from './legacy-test-runs.js';
export * from './release-gates.js';
export * from './step-checks.js';
export * from './test-run-consumers.js';
export * from './test-run-files.js';
export * from './test-run-items.js';
export * from './test-run-results.js';
export * from './test-run-states.js';
export * from './test-runs.js';
export * from './test-run-records.js';
export * from './test-sets/group-test-sets.js';
export * from './test-sets/legacy-test-sets.js';
export * from './test-sets/test-data.js';
export * from './test-sets/test-set-files.js';
export * from './test-sets/test-set-imports.js';
export * from './test-sets/test-set-inputs.js';
export * from './test-sets/test-set-items.js';
export * from './test-sets/test-sets.js';

/** One of the contracts of this folder, with the types of its endpoints. */
export type TestRunContract =
  | typeof groupTestSets
  | typeof evaluationCriteria
  | typeof testSets
  | typeof testSetItems
  | typeof testSetImports
  | typeof legacyTestSets
  | typeof testSetFiles
  | typeof testRuns
  | typeof evaluatedRuns
  | typeof testRunFiles
  | typeof legacyTestRuns
  | typeof releaseGates
  | typeof testSetInputs;
