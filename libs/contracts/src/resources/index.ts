import type { Contract } from '../contract.js';
import { agentAnswers } from './agents/agent-answers.js';
import { formFields, subAgents } from './agents/agent-parts.js';
import { agentManifests } from './agents/agent-manifests.js';
import { actions } from './agents/agent-actions.js';
import { hooks } from './agents/agent-hooks.js';
import { agentLinks } from './agents/agent-links.js';
import { agentTests } from './agents/agent-tests.js';
import { agentSessions } from './agents/agent-sessions.js';
import { tasks } from './agents/agent-tasks.js';
import { agents, agentVersions } from './agents/agents.js';
import { analytics } from './analytics.js';
import { applications } from './applications.js';
import { chat } from './chat/chat.js';
import { chatSessions } from './chat/chat-sessions.js';
import { apiKeys } from './accounts/api-keys.js';
import { auditLog } from './accounts/audit-log.js';
import { eventFeed } from './accounts/event-feed.js';
import { webhookDeliveries } from './accounts/webhook-deliveries.js';
import { webhooks } from './accounts/webhooks.js';
import { companies } from './accounts/companies.js';
import { identities } from './accounts/identities.js';
import { operator } from './accounts/operator.js';
import { completions } from './chat/completions.js';
import { evaluationResults } from './evaluations/evaluation-results.js';
import { evaluations } from './evaluations/evaluations.js';
import { sentinels } from './evaluations/sentinels.js';
import { intentGroups } from './intent-groups.js';
import { intents } from './intents.js';
import { models } from './models.js';
import { providers } from './providers.js';
import { releases } from './releases.js';
import { reports } from './reports.js';
import { monitorLinks } from './monitors/monitor-links.js';
import { monitorActivity } from './monitors/monitor-activity.js';
import { monitorAlerts } from './monitors/monitor-alerts.js';
import { monitorChecks } from './monitors/monitor-checks.js';
import { monitorPreviews } from './monitors/monitor-previews.js';
import { monitorRuns } from './monitors/monitor-runs.js';
import { monitorTargets } from './monitors/monitor-targets.js';
import { monitors, monitorVersions } from './monitors/monitors.js';
import { requestPayloads, runPayloads, taskPayloads } from './monitors/source-payloads.js';
import { requestRecords } from './chat/request-records.js';
import { requests } from './chat/requests.js';
import { routing } from './agents/routing.js';
import { find } from './find.js';
import { search } from './search.js';
import { tagRules } from './tags/tag-rules.js';
import { tagRuns } from './tags/tag-runs.js';
import { tags } from './tags/tags.js';
import { evaluationCriteria } from './test-runs/evaluation-criteria.js';
import { groupTestSets } from './test-runs/group-test-sets.js';
import { legacyTestSets } from './test-runs/legacy-test-sets.js';
import { testSetFiles } from './test-runs/test-set-files.js';
import { testSetImports } from './test-runs/test-set-imports.js';
import { testSetItems } from './test-runs/test-set-items.js';
import { testSets } from './test-runs/test-sets.js';
import { scripts } from './scripts/scripts.js';
import { legacyTestRuns } from './test-runs/legacy-test-runs.js';
import { releaseGates } from './test-runs/release-gates.js';
import { testRuns } from './test-runs/test-runs.js';
import { trafficLinks } from './traffic-links.js';
import { finetuneFiles, finetuneJobs } from './training/finetune-jobs.js';
import { finetuneRuns } from './training/finetune-runs.js';
import { augmentations } from './training/augmentations.js';
import { compositions } from './training/compositions.js';
import { testSetInputs } from './test-runs/test-set-inputs.js';
import { datasetFiles } from './training/dataset-files.js';
import { datasetRequests } from './training/dataset-requests.js';
import { datasets } from './training/datasets.js';
import { groupTraining, intentDatasets } from './training/owned-lists.js';
import { requestSources } from './training/request-sources.js';
import { trainingLinks } from './training/training-links.js';
import { artifacts } from './workflows/artifacts.js';
import { applicationWorkflows } from './workflows/application-workflows.js';
import { sessionTransforms, transformPreviews } from './workflows/session-transforms.js';
import { workflowLinks } from './workflows/workflow-links.js';
import { workflowManifests } from './workflows/workflow-manifests.js';
import { workflows } from './workflows/workflows.js';
import { workflowInvocations, workflowRuns } from './workflows/workflow-runs.js';
import { workflowVersions } from './workflows/workflow-versions.js';

export * from './agents/action-configs.js';
export * from './agents/agent-actions.js';
export * from './agents/agent-config.js';
export * from './agents/agent-hooks.js';
export * from './agents/agent-links.js';
export * from './agents/agent-answers.js';
export * from './agents/agent-manifests.js';
export * from './agents/agent-parts.js';
export * from './agents/agent-sessions.js';
export * from './agents/agent-tasks.js';
export * from './agents/agent-tests.js';
export * from './agents/invocations.js';
export * from './agents/task-states.js';
export * from './agents/task-timelines.js';
export * from './agents/agents.js';
export * from './applications.js';
export * from './analytics.js';
export * from './chat/chat.js';
export * from './chat/chat-sessions.js';
export * from './accounts/api-keys.js';
export * from './accounts/audit-log.js';
export * from './accounts/companies.js';
export * from './accounts/identities.js';
export * from './model-names.js';
export * from './accounts/operator.js';
export * from './accounts/event-feed.js';
export * from './accounts/webhook-deliveries.js';
export * from './accounts/webhooks.js';
export * from './chat/completions.js';
export * from './config.js';
export * from './chat/session-feedback.js';
export * from './evaluations/evaluation-results.js';
export * from './evaluations/evaluations.js';
export * from './evaluations/sentinels.js';
export * from './events/index.js';
export * from './intent-groups.js';
export * from './intents.js';
export * from './models.js';
export * from './monitors/monitor-activity.js';
export * from './monitors/monitor-alerts.js';
export * from './monitors/monitor-checks.js';
export * from './monitors/monitor-config.js';
export * from './monitors/monitor-links.js';
export * from './monitors/monitor-path.js';
export * from './monitors/monitor-previews.js';
export * from './monitors/monitor-runs.js';
export * from './monitors/monitor-targets.js';
export * from './monitors/monitors.js';
export * from './monitors/source-payloads.js';
export * from './providers.js';
export * from './releases.js';
export * from './reports.js';
export * from './chat/request-records.js';
export * from './chat/requests.js';
export * from './agents/routing.js';
export * from './find.js';
export * from './search.js';
export * from './tags/tag-rules.js';
export * from './tags/tag-runs.js';
export * from './tags/tags.js';
export * from './test-runs/evaluation-criteria.js';
export * from './test-runs/group-test-sets.js';
export * from './test-runs/legacy-test-sets.js';
export * from './test-runs/test-data.js';
export * from './test-runs/test-set-files.js';
export * from './test-runs/test-set-imports.js';
export * from './test-runs/test-set-items.js';
export * from './test-runs/test-sets.js';
export * from './scripts/scripts.js';
export * from './test-runs/legacy-test-runs.js';
export * from './test-runs/release-gates.js';
export * from './test-runs/test-run-consumers.js';
export * from './test-runs/test-run-items.js';
export * from './test-runs/test-run-results.js';
export * from './test-runs/test-run-states.js';
export * from './test-runs/test-runs.js';
export * from './traffic-links.js';
export * from './training/augmentations.js';
export * from './training/compositions.js';
export * from './training/finetune-jobs.js';
export * from './training/finetune-runs.js';
export * from './training/input-hash.js';
export * from './test-runs/test-set-inputs.js';
export * from './training/dataset-files.js';
export * from './training/dataset-requests.js';
export * from './training/datasets.js';
export * from './training/owned-lists.js';
export * from './training/request-sources.js';
export * from './training/training-links.js';
export * from './training/training-data.js';
export * from './chat/recorded-messages.js';
export * from './workflows/application-workflows.js';
export * from './workflows/artifacts.js';
export * from './workflows/run-records.js';
export * from './workflows/run-states.js';
export * from './workflows/run-timelines.js';
export * from './workflows/script-fields.js';
export * from './workflows/session-transforms.js';
export * from './workflows/workflow-links.js';
export * from './workflows/workflow-manifests.js';
export * from './workflows/workflow-runs.js';
export * from './workflows/workflow-versions.js';
export * from './workflows/workflows.js';

/** Every contract of the platform; the gateway, the permissions and the conformance suite read this list. */
export const CONTRACTS: readonly Contract[] = [
  companies,
  apiKeys,
  auditLog,
  webhooks,
  webhookDeliveries,
  eventFeed,
  identities,
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
  hooks,
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
  | typeof companies
  | typeof apiKeys
  | typeof auditLog
  | typeof webhooks
  | typeof webhookDeliveries
  | typeof eventFeed
  | typeof identities
  | typeof operator
  | typeof applications
  | typeof applicationWorkflows
  | typeof intents
  | typeof intentDatasets
  | typeof intentGroups
  | typeof groupTestSets
  | typeof groupTraining
  | typeof models
  | typeof providers
  | typeof chat
  | typeof completions
  | typeof requests
  | typeof requestRecords
  | typeof trafficLinks
  | typeof chatSessions
  | typeof tags
  | typeof tagRules
  | typeof tagRuns
  | typeof sentinels
  | typeof evaluationResults
  | typeof evaluations
  | typeof reports
  | typeof search
  | typeof find
  | typeof analytics
  | typeof agents
  | typeof agentLinks
  | typeof actions
  | typeof subAgents
  | typeof routing
  | typeof formFields
  | typeof agentManifests
  | typeof agentVersions
  | typeof releases
  | typeof tasks
  | typeof agentAnswers
  | typeof agentTests
  | typeof agentSessions
  | typeof hooks
  | typeof evaluationCriteria
  | typeof testSets
  | typeof testSetItems
  | typeof monitors
  | typeof monitorTargets
  | typeof monitorVersions
  | typeof monitorLinks
  | typeof testSetImports
  | typeof scripts
  | typeof legacyTestSets
  | typeof workflows
  | typeof workflowVersions
  | typeof workflowManifests
  | typeof workflowLinks
  | typeof workflowRuns
  | typeof workflowInvocations
  | typeof testSetFiles
  | typeof monitorRuns
  | typeof monitorPreviews
  | typeof monitorActivity
  | typeof monitorAlerts
  | typeof monitorChecks
  | typeof requestPayloads
  | typeof runPayloads
  | typeof taskPayloads
  | typeof testRuns
  | typeof legacyTestRuns
  | typeof releaseGates
  | typeof transformPreviews
  | typeof sessionTransforms
  | typeof artifacts
  | typeof datasets
  | typeof datasetRequests
  | typeof datasetFiles
  | typeof augmentations
  | typeof compositions
  | typeof finetuneRuns
  | typeof finetuneFiles
  | typeof finetuneJobs
  | typeof testSetInputs
  | typeof requestSources
  | typeof trainingLinks;
