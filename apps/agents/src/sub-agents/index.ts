export { LinkTargets } from './link-targets.repository.js';
export type { TaskChild } from './link.js';
export { SubAgentRow } from './sub-agent.entity.js';
export { SubAgentsModule } from './sub-agents.module.js';
export { SubAgents } from './sub-agents.repository.js';
