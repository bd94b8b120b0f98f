export { Unmatched, UnmatchedFilter } from './unmatched.filter.js';
export { UnmatchedModule } from './unmatched.module.js';
