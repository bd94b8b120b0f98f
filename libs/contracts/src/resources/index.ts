import type { Contract } from '../contract.js';
import { agentAnswers } from './agent-answers.js';
import { formFields, subAgents } from './agent-parts.js';
import { agentManifests } from './agent-manifests.js';
import { actions } from './agent-actions.js';
import { hooks } from './agent-hooks.js';
import { agentLinks } from './agent-links.js';
import { agentSessions } from './agent-sessions.js';
import { tasks } from './agent-tasks.js';
import { agents, agentVersions } from './agents.js';
import { analytics } from './analytics.js';
import { applications } from './applications.js';
import { chat } from './chat.js';
import { chatSessions } from './chat-sessions.js';
import { apiKeys, auditLog, companies, identities, operator } from './companies.js';
import { completions } from './completions.js';
import {
  applicationWorkflows,
  groupSentinels,
  groupTestSets,
  groupTraining,
  intentDatasets,
} from './empty-families.js';
import { intentGroups } from './intent-groups.js';
import { intents } from './intents.js';
import { models } from './models.js';
import { providers } from './providers.js';
import { releases } from './releases.js';
import { requestRecords } from './request-records.js';
import { requests } from './requests.js';
import { routing } from './routing.js';
import { trafficLinks } from './traffic-links.js';

export * from './action-configs.js';
export * from './agent-actions.js';
export * from './agent-config.js';
export * from './agent-hooks.js';
export * from './agent-links.js';
export * from './agent-answers.js';
export * from './agent-manifests.js';
export * from './agent-parts.js';
export * from './agent-sessions.js';
export * from './agent-tasks.js';
export * from './agents.js';
export * from './applications.js';
export * from './analytics.js';
export * from './chat.js';
export * from './chat-sessions.js';
export * from './companies.js';
export * from './completions.js';
export * from './config.js';
export * from './session-feedback.js';
export * from './empty-families.js';
export * from './events.js';
export * from './intent-groups.js';
export * from './intents.js';
export * from './models.js';
export * from './providers.js';
export * from './releases.js';
export * from './request-records.js';
export * from './requests.js';
export * from './routing.js';
export * from './traffic-links.js';

/** Every contract of the platform; the gateway, the permissions and the conformance suite read this list. */
export const CONTRACTS: readonly Contract[] = [
  companies,
  apiKeys,
  auditLog,
  identities,
  operator,
  applications,
  applicationWorkflows,
  intents,
  intentDatasets,
  intentGroups,
  groupSentinels,
  groupTestSets,
  groupTraining,
  models,
  providers,
  chat,
  completions,
  requests,
  requestRecords,
  trafficLinks,
  chatSessions,
  analytics,
  agents,
  agentLinks,
  actions,
  subAgents,
  routing,
  formFields,
  agentManifests,
  agentVersions,
  releases,
  tasks,
  agentAnswers,
  agentSessions,
  hooks,
];
