import { partitionIndex } from './partition-index.js';

/** Finds the corrected requests, which are few of all. */
export const CorrectedRequests1700000009574 = partitionIndex('CorrectedRequests1700000009574', {
  suffix: 'corrected',
  on: '(company_id, id) WHERE corrected_response IS NOT NULL',
});
