import type { actions } from './agent-actions.js';
import type { agentAnswers } from './agent-answers.js';
import type { hooks } from './agent-hooks.js';
import type { agentLinks } from './agent-links.js';
import type { agentManifests } from './agent-manifests.js';
import type { formFields, subAgents } from './agent-parts.js';
import type { agentTests } from './agent-tests.js';
import type { agentVersions, agents } from './agents.js';
import type { externalTasks } from './external-tasks.js';
import type { mcpServers } from './mcp-servers.js';
import type { routing } from './routing.js';
import type { agentSessions } from './tasks/agent-sessions.js';
import type { tasks } from './tasks/agent-tasks.js';

export * from './action-configs.js';
export * from './agent-actions.js';
export * from './agent-answers.js';
export * from './agent-config.js';
export * from './agent-hooks.js';
export * from './agent-links.js';
export * from './agent-manifests.js';
export * from './agent-parts.js';
export * from './agent-tests.js';
export * from './agents.js';
export * from './external-tasks.js';
export * from './mcp-servers.js';
export * from './routing.js';
export * from './routing-conditions.js';
export * from './tasks/agent-sessions.js';
export * from './tasks/agent-tasks.js';
export * from './tasks/invocations.js';
export * from './tasks/task-states.js';
export * from './tasks/task-timelines.js';

/** One of the contracts of this folder, with the types of its endpoints. */
export type AgentContract =
  | typeof agents
  | typeof agentLinks
  | typeof actions
  | typeof subAgents
  | typeof routing
  | typeof formFields
  | typeof agentManifests
  | typeof agentVersions
  | typeof tasks
  | typeof agentAnswers
  | typeof agentTests
  | typeof agentSessions
  | typeof externalTasks
  | typeof mcpServers
  | typeof hooks;
