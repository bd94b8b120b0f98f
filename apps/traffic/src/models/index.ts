export { type AgentName, agentNameOf } from './agent-name.js';
export { usedBy } from './model-users.js';
export { ModelsModule } from './models.module.js';
export { Models } from './models.repository.js';
export { type WorkflowName, workflowNameOf } from './workflow-name.js';
