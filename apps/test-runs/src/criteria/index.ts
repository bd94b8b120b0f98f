export { CriteriaModule } from './criteria.module.js';
export { CriterionRow } from './criterion.entity.js';
