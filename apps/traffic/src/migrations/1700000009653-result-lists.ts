import { largeTableIndexes } from '@signalbox/database';

/** Reports of the current faults, which are few of all results, and results of a span of dates. */
export const ResultLists1700000009653 = largeTableIndexes('ResultLists1700000009653', 'traffic', [
  {
    name: 'evaluation_results_faults',
    on: `traffic.evaluation_results (company_id, request_date, id) WHERE is_current AND status = 'FAULT'`,
  },
  { name: 'evaluation_results_time', on: 'traffic.evaluation_results (company_id, date_created, id)' },
]);
