// Prints the longest spec files with their budgets at the end of a run. It fails nothing: a loaded machine is slower,
// and a test that fails by the clock proves nothing.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { budgetOf } from './budgets.mjs';

const SHOWN = 30;
/** All of the rows of the last run, below the root: `seconds`, `CPU seconds`, `tests`, `file`, separated by tabs. */
const TABLE = '.cache/spec-times.tsv';

const column = (seconds) => seconds.toFixed(1).padStart(6);

/** Rows `{ file, seconds, cpu, budget }` of a jest result, the longest first. */
export function budgetRows(testResults, root) {
  const rows = testResults.map(({ testFilePath, perfStats, cpuSeconds, testResults: tests }) => ({
    file: relative(root, testFilePath),
    seconds: (perfStats.end - perfStats.start) / 1000,
    cpu: cpuSeconds ?? 0,
    tests: tests.length,
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
    const lines = rows.map(({ seconds, cpu, tests, file }) =>
      [seconds.toFixed(1), cpu.toFixed(1), tests, file].join('\t'),
    );
    mkdirSync(join(this.root, '.cache'), { recursive: true });
    writeFileSync(join(this.root, TABLE), `${lines.join('\n')}\n`);
    const total = (key) => rows.reduce((sum, row) => sum + row[key], 0).toFixed(0);
    console.log(`\nSpec files by duration, with CPU time and budget:`);
    for (const { file, seconds, cpu, budget } of rows.slice(0, SHOWN))
      console.log(
        `${seconds > budget ? 'over  ' : '      '}${column(seconds)} s  ${column(cpu)} s  ${budget} s  ${file}`,
      );
    const leftOut = testResults
      .filter(({ isLeftOut }) => isLeftOut)
      .map((each) => relative(this.root, each.testFilePath));
    if (leftOut.length > 0) {
      console.log(`NOT RUN: the machine was too slow for ${leftOut.length} files in the given time:`);
      for (const file of leftOut) console.log(`        ${file}`);
    }
    console.log(`${rows.length} files: ${total('seconds')} s, ${total('cpu')} s of CPU, all of them in ${TABLE}`);
  }
}

// Jest loads a reporter by its default export.
export default BudgetReporter;
