import { largeTableIndexes } from '@signalbox/database';

/** The deletion of a run looks for its artifacts, also for those that were replaced. */
export const ArtifactsOfEndedRuns1700000008581 = largeTableIndexes('ArtifactsOfEndedRuns1700000008581', 'workflows', [
  { name: 'artifacts_run', on: 'workflows.artifacts (company_id, run_id) WHERE run_id IS NOT NULL' },
]);
