// Appends the totals of one jest run as a line to the file named by TEST_TOTALS, when it is set.

import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** A suite that could not be loaded counts as one failure: none of its tests appear in the totals. */
class TotalsReporter {
  onRunComplete(_contexts, results) {
    const file = process.env.TEST_TOTALS;
    if (!file) return;
    const totals = {
      passed: results.numPassedTests,
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests,
    };
    mkdirSync(dirname(file), { recursive: true });
    appendFileSync(file, `${JSON.stringify(totals)}\n`);
  }
}

// Jest loads a reporter by its default export.
export default TotalsReporter;
