import { largeTableIndexes } from '@signalbox/database';

/** Tasks of one version, newest first, without an agent being named. */
export const TasksOfVersion1700000009620 = largeTableIndexes('TasksOfVersion1700000009620', 'agents', [
  { name: 'tasks_of_version', on: 'agents.tasks (company_id, version, no)' },
]);
