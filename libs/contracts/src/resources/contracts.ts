import type { Contract } from '../contract.js';
import {
  apiKeys,
  auditLog,
  companies,
  eventFeed,
  identities,
  operator,
  portalLogins,
  portalSessions,
  webhookDeliveries,
  webhooks,
  type AccountContract,
} from './accounts/index.js';
import {
  actions,
  agentAnswers,
  agentLinks,
  agentManifests,
  agentSessions,
  agentTests,
  agentVersions,
  agents,
  externalTasks,
  formFields,
  hooks,
  mcpServers,
  routing,
  subAgents,
  tasks,
  type AgentContract,
} from './agents/index.js';
import { chat, chatSessions, completions, requestRecords, requests, type ChatContract } from './chat/index.js';
import { evaluationResults, evaluations, sentinels, type EvaluationContract } from './evaluations/index.js';
import {
  monitorActivity,
  monitorAlerts,
  monitorChecks,
  monitorLinks,
  monitorPreviews,
  monitorRuns,
  monitorTargets,
  monitorVersions,
  monitors,
  requestPayloads,
  runPayloads,
  taskPayloads,
  type MonitorContract,
} from './monitors/index.js';
import { tagRules, tagRuns, tags, type TagContract } from './tags/index.js';
import {
  evaluatedRuns,
  evaluationCriteria,
  groupTestSets,
  legacyTestRuns,
  legacyTestSets,
  releaseGates,
  testRunFiles,
  testRuns,
  testSetFiles,
  testSetImports,
  testSetInputs,
  testSetItems,
  testSets,
  type TestRunContract,
} from './test-runs/index.js';
import {
  augmentations,
  compositions,
  datasetFiles,
  datasetRequests,
  datasets,
  finetuneFiles,
  finetuneJobs,
  finetuneRuns,
  groupTraining,
  intentDatasets,
  requestSources,
  trainingLinks,
  type TrainingContract,
} from './training/index.js';
import {
  applicationWorkflows,
  artifacts,
  sessionTransforms,
  transformPreviews,
  workflowInvocations,
  workflowLinks,
  workflowManifests,
  workflowRuns,
  workflowVersions,
  workflows,
  type WorkflowContract,
} from './workflows/index.js';
import { analytics } from './analytics.js';
import { applications } from './applications.js';
import { find } from './find.js';
import { intentGroups } from './intent-groups.js';
import { intents } from './intents.js';
import { models } from './models.js';
import { otelIngest } from './otel.js';
import { providers } from './providers.js';
import { releases } from './releases.js';
import { reports } from './reports.js';
import { scripts } from './scripts/scripts.js';
import { search } from './search.js';
import { trafficLinks } from './traffic-links.js';

/** Every contract of the platform; the gateway, the permissions and the conformance suite read this list. */
export const CONTRACTS: readonly Contract[] = [
  companies,
  apiKeys,
  auditLog,
  webhooks,
  webhookDeliveries,
  eventFeed,
  identities,
  portalSessions,
  portalLogins,
  operator,
  applications,
  applicationWorkflows,
  intents,
  intentDatasets,
  intentGroups,
  groupTestSets,
  groupTraining,
  models,
  providers,
  chat,
  completions,
  requests,
  requestRecords,
  otelIngest,
  trafficLinks,
  chatSessions,
  tags,
  tagRules,
  tagRuns,
  sentinels,
  evaluationResults,
  evaluations,
  reports,
  search,
  find,
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
  agentTests,
  agentSessions,
  externalTasks,
  hooks,
  mcpServers,
  evaluationCriteria,
  testSets,
  testSetItems,
  monitors,
  monitorTargets,
  monitorVersions,
  monitorLinks,
  testSetImports,
  scripts,
  legacyTestSets,
  workflows,
  workflowVersions,
  workflowManifests,
  workflowLinks,
  workflowRuns,
  workflowInvocations,
  testSetFiles,
  monitorRuns,
  monitorPreviews,
  monitorActivity,
  monitorAlerts,
  monitorChecks,
  requestPayloads,
  runPayloads,
  taskPayloads,
  testRuns,
  evaluatedRuns,
  testRunFiles,
  legacyTestRuns,
  releaseGates,
  transformPreviews,
  sessionTransforms,
  artifacts,
  datasets,
  datasetRequests,
  datasetFiles,
  augmentations,
  compositions,
  finetuneRuns,
  finetuneFiles,
  finetuneJobs,
  testSetInputs,
  requestSources,
  trainingLinks,
] satisfies readonly AnyContract[];

/** One of the contracts of `CONTRACTS`, with the types of its endpoints. */
export type AnyContract =
  | AccountContract
  | ChatContract
  | TagContract
  | EvaluationContract
  | AgentContract
  | MonitorContract
  | TestRunContract
  | WorkflowContract
  | TrainingContract
  | typeof applications
  | typeof intents
  | typeof intentGroups
  | typeof models
  | typeof providers
  | typeof trafficLinks
  | typeof otelIngest
  | typeof reports
  | typeof search
  | typeof find
  | typeof analytics
  | typeof releases
  | typeof scripts;
