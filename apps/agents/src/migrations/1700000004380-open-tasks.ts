import { largeTableIndexes } from '@signalbox/database';

/** The tasks of a company that have not ended, which are few of all. */
export const OpenTasks1700000004380 = largeTableIndexes('OpenTasks1700000004380', 'agents', [
  { name: 'tasks_open', on: 'agents.tasks (company_id) WHERE completed_at IS NULL' },
]);
