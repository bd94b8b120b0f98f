import { largeTableIndexes } from '@signalbox/database';

/** Runs of one version, newest first, without a workflow being named. */
export const RunsOfVersion1700000009621 = largeTableIndexes('RunsOfVersion1700000009621', 'workflows', [
  { name: 'runs_of_version', on: 'workflows.runs (company_id, workflow_version, no)' },
]);
