import { partitionIndex } from './partition-index.js';

/** Lists of failed requests, which are few of all. */
export const FailedRequests1700000009651 = partitionIndex('FailedRequests1700000009651', {
  suffix: 'failed',
  on: `(company_id, id) WHERE status = 'FAILED'`,
});
