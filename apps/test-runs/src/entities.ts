import { CriterionRow } from './criteria/criterion.entity.js';

/** The entities of the tables of test-runs. */
export const ENTITIES = [CriterionRow];
