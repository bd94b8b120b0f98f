import { largeTableIndexes } from '@signalbox/database';

/** Tasks of a span of dates or of a session, and the open ones that a run has called. */
export const TaskSpans1700000009662 = largeTableIndexes('TaskSpans1700000009662', 'agents', [
  { name: 'tasks_of_span', on: 'agents.tasks (company_id, date_created, no)' },
  { name: 'tasks_of_session_id', on: 'agents.tasks (company_id, session_id, no)' },
  {
    name: 'tasks_open_called',
    on: 'agents.tasks (company_id, called_by) WHERE completed_at IS NULL AND called_by IS NOT NULL',
  },
]);
