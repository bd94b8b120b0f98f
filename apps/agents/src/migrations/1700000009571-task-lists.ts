import { largeTableIndexes } from '@signalbox/database';

/** What lists of tasks are sorted by, and tasks of one failure class; a missing value is the smallest. */
export const TaskLists1700000009571 = largeTableIndexes('TaskLists1700000009571', 'agents', [
  { name: 'tasks_cost', on: 'agents.tasks (company_id, cost NULLS FIRST, no)' },
  { name: 'tasks_duration', on: 'agents.tasks (company_id, (completed_at - started_at) NULLS FIRST, no)' },
  { name: 'tasks_failed', on: 'agents.tasks (company_id, failure_class, no) WHERE failure_class IS NOT NULL' },
]);
