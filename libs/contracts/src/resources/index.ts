import type { Contract } from '../contract.js';
import { formFields, subAgents } from './agent-parts.js';
import { agentManifests } from './agent-manifests.js';
import { actions } from './agent-actions.js';
import { hooks } from './agent-hooks.js';
import { agentSessions } from './agent-sessions.js';
import { tasks } from './agent-tasks.js';
import { agents, agentVersions } from './agents.js';
import { chatSessions } from './chat-sessions.js';
import { apiKeys, auditLog, companies, identities, operator } from './companies.js';
import { completions } from './completions.js';
import { applications, chat, models, providers } from './models.js';
import { requests } from './requests.js';
import { routing } from './routing.js';

export * from './action-configs.js';
export * from './agent-actions.js';
export * from './agent-hooks.js';
export * from './agent-manifests.js';
export * from './agent-parts.js';
export * from './agent-sessions.js';
export * from './agent-tasks.js';
export * from './agents.js';
export * from './chat-sessions.js';
export * from './companies.js';
export * from './completions.js';
export * from './events.js';
export * from './models.js';
export * from './requests.js';
export * from './routing.js';

/** Every contract of the platform; the gateway, the permissions and the conformance suite read this list. */
export const CONTRACTS: readonly Contract[] = [
  companies,
  apiKeys,
  auditLog,
  identities,
  operator,
  applications,
  models,
  providers,
  chat,
  completions,
  requests,
  chatSessions,
  agents,
  actions,
  subAgents,
  routing,
  formFields,
  agentManifests,
  agentVersions,
  tasks,
  agentSessions,
  hooks,
];
