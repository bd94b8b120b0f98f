import { lintConfig } from './tools/check/lint-config.mjs';

export default lintConfig(import.meta.dirname);
