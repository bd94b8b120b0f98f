import { existsSync, readFileSync } from 'node:fs';

/** The sum of the lines that tools/check/totals-reporter.mjs wrote; zero when there was no run. */
export function readTotals(file) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  const totals = lines.map((line) => JSON.parse(line));
  const sumOf = (key) => totals.reduce((sum, total) => sum + total[key], 0);
  return { passed: sumOf('passed'), failed: sumOf('failed') };
}
