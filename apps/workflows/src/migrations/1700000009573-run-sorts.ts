import { largeTableIndexes } from '@signalbox/database';

/** What lists of runs are sorted by; a missing value is the smallest. */
export const RunSorts1700000009573 = largeTableIndexes('RunSorts1700000009573', 'workflows', [
  { name: 'runs_cost', on: 'workflows.runs (company_id, cost NULLS FIRST, no)' },
  { name: 'runs_duration', on: 'workflows.runs (company_id, (completed_at - started_at) NULLS FIRST, no)' },
]);
