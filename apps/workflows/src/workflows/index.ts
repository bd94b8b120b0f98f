export { type PreparedWrite, type WorkflowChange, WorkflowWrites } from './workflow-writes.js';
export { WorkflowsModule } from './workflows.module.js';
