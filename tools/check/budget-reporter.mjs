// Prints the longest spec files with their budgets at the end of a run. It fails nothing: a loaded machine is slower,
// and a test that fails by the clock proves nothing.

import { relative } from 'node:path';
import { budgetOf } from './budgets.mjs';

const SHOWN = 20;

/** Rows `{ file, seconds, budget }` of a jest result, the largest share of its budget first. */
export function budgetRows(testResults, root) {
  const rows = testResults.map(({ testFilePath, perfStats }) => ({
    file: relative(root, testFilePath),
    seconds: (perfStats.end - perfStats.start) / 1000,
    budget: budgetOf(testFilePath).seconds,
  }));
  return rows.sort((one, other) => other.seconds - one.seconds);
}

class BudgetReporter {
  constructor(globalConfig) {
    this.root = globalConfig.rootDir;
  }

  onRunComplete(_contexts, { testResults }) {
    const rows = budgetRows(testResults, this.root);
    if (rows.length < 2) return;
    const total = rows.reduce((sum, { seconds }) => sum + seconds, 0);
    console.log(`\nSpec files by duration (${rows.length} files, ${total.toFixed(0)} s in all), with their budgets:`);
    for (const { file, seconds, budget } of rows.slice(0, SHOWN))
      console.log(`${seconds > budget ? 'over  ' : '      '}${seconds.toFixed(1).padStart(6)} of ${budget} s  ${file}`);
  }
}

// Jest loads a reporter by its default export.
export default BudgetReporter;
