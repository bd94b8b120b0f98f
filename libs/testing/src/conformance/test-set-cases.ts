import type { Case } from './case.js';

const criteria: Case = async (fixtures) => ({ criteria_id: await fixtures.idOf(fixtures.criteria()) });
const newCriteria: Case = async (fixtures) => ({ criteria_id: await fixtures.idOf(fixtures.newCriteria()) });

/** Valid inputs for evaluation criteria and test sets. */
export const TEST_SET_CASES: Readonly<Record<string, Case>> = {
  'evaluation-criteria.listCriteria': () => ({ method: 'EXACT', enabled: true }),
  'evaluation-criteria.createCriteria': (fixtures) => ({
    name: fixtures.fresh('Field'),
    criteria_type: 'BOOLEAN',
    method: 'JSON_FIELDS',
    config: { ignore_paths: ['id'] },
  }),
  'evaluation-criteria.getCriteria': criteria,
  'evaluation-criteria.updateCriteria': async (fixtures) => ({ ...(await criteria(fixtures)), description: 'changed' }),
  'evaluation-criteria.deleteCriteria': newCriteria,
  'evaluation-criteria.enableCriteria': criteria,
  'evaluation-criteria.disableCriteria': newCriteria,
};
