export { LOCK_CRITERIA } from './criteria.sql.js';
export { CriteriaModule } from './criteria.module.js';
export { CriterionRow } from './criterion.entity.js';
