import { largeTableIndexes } from '@signalbox/database';

/** A file that is written again is found by its key, whatever the workflow has besides. */
export const ArtifactsOfWorkflow1700000009540 = largeTableIndexes('ArtifactsOfWorkflow1700000009540', 'workflows', [
  { name: 'artifacts_of_workflow', on: 'workflows.artifacts (company_id, workflow_id, key) WHERE deleted_at IS NULL' },
]);
