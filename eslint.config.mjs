import { lintConfig } from './tools/check/lint-config.mjs';

// One program of all sources: one for each package reads what they share again and again, and takes twice the time.
export default lintConfig(import.meta.dirname, { project: 'tools/check/tsconfig.lint.json' });
