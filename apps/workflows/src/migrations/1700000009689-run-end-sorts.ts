import { largeTableIndexes } from '@signalbox/database';

/** The other sorts of lists of runs; a missing value is the smallest. */
export const RunEndSorts1700000009689 = largeTableIndexes('RunEndSorts1700000009689', 'workflows', [
  { name: 'runs_completed', on: 'workflows.runs (company_id, completed_at NULLS FIRST, no)' },
  { name: 'runs_status', on: 'workflows.runs (company_id, status NULLS FIRST, no)' },
]);
