export { ApplicationNameRow } from './application-name.entity.js';
export { DraftsModule } from './drafts.module.js';
export { type CalledWorkflow, Drafts } from './drafts.repository.js';
export { allowedChild, type NestedRef, parseNestedRef } from './nested-ref.js';
export { NestedRefs } from './nested-refs.repository.js';
export { comparable, freezeRefs, type WorkflowSnapshot } from './workflow-snapshot.js';
export { WorkflowRow } from './workflow.entity.js';
export { WORKFLOW_TAKEN, Workflows } from './workflows.repository.js';
