import type { applicationWorkflows } from './application-workflows.js';
import type { artifacts } from './artifacts.js';
import type { sessionTransforms, transformPreviews } from './session-transforms.js';
import type { workflowLinks } from './workflow-links.js';
import type { workflowManifests } from './workflow-manifests.js';
import type { workflowRuns } from './workflow-runs.js';
import type { workflowInvocations } from './workflow-invocations.js';
import type { workflowVersions } from './workflow-versions.js';
import type { workflows } from './workflows.js';

export * from './application-workflows.js';
export * from './artifacts.js';
export * from './run-records.js';
export * from './run-states.js';
export * from './run-timelines.js';
export * from './script-fields.js';
export * from './session-transforms.js';
export * from './workflow-links.js';
export * from './workflow-manifests.js';
export * from './workflow-runs.js';
export * from './workflow-invocations.js';
export * from './workflow-versions.js';
export * from './workflows.js';

/** One of the contracts of this folder, with the types of its endpoints. */
export type WorkflowContract =
  | typeof applicationWorkflows
  | typeof workflows
  | typeof workflowVersions
  | typeof workflowManifests
  | typeof workflowLinks
  | typeof workflowRuns
  | typeof workflowInvocations
  | typeof transformPreviews
  | typeof sessionTransforms
  | typeof artifacts;
