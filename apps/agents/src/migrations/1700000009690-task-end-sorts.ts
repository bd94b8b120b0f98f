import { largeTableIndexes } from '@signalbox/database';

/** The other sorts of lists of tasks; a missing value is the smallest. */
export const TaskEndSorts1700000009690 = largeTableIndexes('TaskEndSorts1700000009690', 'agents', [
  { name: 'tasks_completed', on: 'agents.tasks (company_id, completed_at NULLS FIRST, no)' },
  { name: 'tasks_status', on: 'agents.tasks (company_id, status NULLS FIRST, no)' },
]);
