import { largeTableIndexes } from '@signalbox/database';

/** Runs of a span of dates, and the open ones that a task has called. */
export const RunSpans1700000009664 = largeTableIndexes('RunSpans1700000009664', 'workflows', [
  { name: 'runs_of_span', on: 'workflows.runs (company_id, date_created, no)' },
  {
    name: 'runs_open_called',
    on: 'workflows.runs (company_id, called_by) WHERE completed_at IS NULL AND called_by IS NOT NULL',
  },
]);
