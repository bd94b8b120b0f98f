export { ComparedRuns } from './compared-runs.repository.js';
export { Comparisons } from './comparisons.js';
export { wilson } from './intervals.js';
export { RunComparisonModule } from './run-comparison.module.js';
