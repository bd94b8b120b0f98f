// Generated from the contracts by tools/openapi.mjs; changes belong there.

import type { CompletionStream } from '../completion-stream.js';
import type { Download } from '../download.js';
import type { EventStream } from '../event-stream.js';
import type { PagedList } from '../pages.js';
import type { CallOptions, StreamOptions } from '../options.js';
import type * as types from './types.js';

export interface CompanyApi {
  /** Get the company of the key. Scope: read. */
  get(input?: Record<string, never>, options?: CallOptions): Promise<types.Company>;
  /** Change name or settings of the company. Scope: admin. */
  update(input?: types.CompanyUpdateInput, options?: CallOptions): Promise<types.Company>;
}

export interface ApiKeysApi {
  /** List the API keys. Scope: admin. */
  list(input?: types.ApiKeysListInput, options?: CallOptions): PagedList<types.ApiKey>;
  /** Create an API key. Scope: admin. */
  create(input: types.ApiKeysCreateInput, options?: CallOptions): Promise<types.NewApiKey>;
  /** Get the key that authenticates this call. */
  getCurrent(input?: Record<string, never>, options?: CallOptions): Promise<types.CurrentApiKey>;
  /** Get an API key. Scope: admin. */
  get(input: types.ApiKeysGetInput, options?: CallOptions): Promise<types.ApiKey>;
  /** Change name, scopes or expiry of an API key. Scope: admin. */
  update(input: types.ApiKeysUpdateInput, options?: CallOptions): Promise<types.ApiKey>;
  /** Delete an API key. Scope: admin. */
  delete(input: types.ApiKeysDeleteInput, options?: CallOptions): Promise<types.Deleted>;
  /** Revoke an API key. Scope: admin. */
  revoke(input: types.ApiKeysRevokeInput, options?: CallOptions): Promise<types.ApiKey>;
  /** Replace an API key; the old one stays valid for a grace period. Scope: admin. */
  rotate(input: types.ApiKeysRotateInput, options?: CallOptions): Promise<types.NewApiKey>;
}

export interface AuditLogApi {
  /** List the successful writes of the company and the calls of tools, newest first. Scope: admin. */
  list(input?: types.AuditLogListInput, options?: CallOptions): PagedList<types.AuditEntry>;
}

export interface WebhooksApi {
  /** List the webhooks. Scope: read. */
  list(input?: types.WebhooksListInput, options?: CallOptions): PagedList<types.Webhook>;
  /** Create a webhook. Scope: admin. */
  create(input: types.WebhooksCreateInput, options?: CallOptions): Promise<types.NewWebhook>;
  /** List the kinds of events. Scope: read. */
  listEventTypes(input?: Record<string, never>, options?: CallOptions): Promise<types.EventType[]>;
  /** Get a webhook. Scope: read. */
  get(input: types.WebhooksGetInput, options?: CallOptions): Promise<types.Webhook>;
  /** Change a webhook; enabling it clears the reason for which it was disabled. Scope: admin. */
  update(input: types.WebhooksUpdateInput, options?: CallOptions): Promise<types.Webhook>;
  /** Delete a webhook. Scope: admin. */
  delete(input: types.WebhooksDeleteInput, options?: CallOptions): Promise<types.Deleted>;
  /** Replace the secret; for 24 hours both secrets sign. Scope: admin. */
  rotateSecret(input: types.WebhooksRotateSecretInput, options?: CallOptions): Promise<types.NewWebhook>;
  /** Send the event webhook.test, whether the webhook is enabled or not. Scope: admin. */
  test(input: types.WebhooksTestInput, options?: CallOptions): Promise<types.WebhookDelivery>;
  /** List the deliveries of a webhook. Scope: read. */
  listDeliveries(input: types.WebhooksListDeliveriesInput, options?: CallOptions): PagedList<types.WebhookDelivery>;
  /** Get a delivery. Scope: read. */
  getDelivery(input: types.WebhooksGetDeliveryInput, options?: CallOptions): Promise<types.WebhookDelivery>;
  /** Deliver an event again, as a separate delivery. Scope: admin. */
  replayDelivery(input: types.WebhooksReplayDeliveryInput, options?: CallOptions): Promise<types.WebhookDelivery>;
  /** Follow the events of the company as server-sent events; the last 24 hours can be replayed. Scope: read. */
  streamEvents(input?: types.WebhooksStreamEventsInput, options?: StreamOptions): EventStream<types.StreamedEvent>;
}

export interface PortalSessionsApi {
  /** List the browsers that are signed in to the portal. Scope: admin. */
  list(input?: types.PortalSessionsListInput, options?: CallOptions): PagedList<types.PortalSession>;
  /** Sign a browser out of the portal. Scope: admin. */
  end(input: types.PortalSessionsEndInput, options?: CallOptions): Promise<types.Deleted>;
}

export interface ApplicationsApi {
  /** List the applications. Scope: read. */
  list(input?: types.ApplicationsListInput, options?: CallOptions): PagedList<types.Application>;
  /** Create an application. Scope: write. */
  create(input: types.ApplicationsCreateInput, options?: CallOptions): Promise<types.Application>;
  /** Get an application. Scope: read. */
  get(input: types.ApplicationsGetInput, options?: CallOptions): Promise<types.Application>;
  /** Change an application. Scope: write. */
  update(input: types.ApplicationsUpdateInput, options?: CallOptions): Promise<types.Application>;
  /** Delete an application with its intents. Scope: write. */
  delete(input: types.ApplicationsDeleteInput, options?: CallOptions): Promise<types.Deleted>;
  /** Get the configuration of an application. Scope: read. */
  getConfig(input: types.ApplicationsGetConfigInput, options?: CallOptions): Promise<types.ConfigView>;
  /** Change fields of the configuration of an application. Scope: write. */
  updateConfig(input: types.ApplicationsUpdateConfigInput, options?: CallOptions): Promise<types.ConfigView>;
  /** Remove every field that the configuration of an application sets. Scope: write. */
  resetConfig(input: types.ApplicationsResetConfigInput, options?: CallOptions): Promise<types.ConfigView>;
  /** List the models that the traffic or the configuration of an application uses. Scope: read. */
  listModels(input: types.ApplicationsListModelsInput, options?: CallOptions): PagedList<types.Model>;
  /** List the sessions of an application. Scope: read. */
  listSessions(input: types.ApplicationsListSessionsInput, options?: CallOptions): PagedList<types.ChatSession>;
  /** List the agents of an application. Scope: read. */
  listAgents(input: types.ApplicationsListAgentsInput, options?: CallOptions): PagedList<types.AgentSummary>;
  /** List the workflows of an application. Scope: read. */
  listWorkflows(input: types.ApplicationsListWorkflowsInput, options?: CallOptions): PagedList<types.WorkflowSummary>;
  /** List the runs of the workflows of an application, without their bodies. Scope: read. */
  listWorkflowRuns(input: types.ApplicationsListWorkflowRunsInput, options?: CallOptions): PagedList<types.ListedWorkflowRun>;
}

export interface IntentsApi {
  /** List the intents of an application. Scope: read. */
  list(input: types.IntentsListInput, options?: CallOptions): PagedList<types.Intent>;
  /** Create an intent. Scope: write. */
  create(input: types.IntentsCreateInput, options?: CallOptions): Promise<types.Intent>;
  /** Get an intent. Scope: read. */
  get(input: types.IntentsGetInput, options?: CallOptions): Promise<types.Intent>;
  /** Change an intent. Scope: write. */
  update(input: types.IntentsUpdateInput, options?: CallOptions): Promise<types.Intent>;
  /** Delete an intent. Scope: write. */
  delete(input: types.IntentsDeleteInput, options?: CallOptions): Promise<types.Deleted>;
  /** Get the configuration of an intent. Scope: read. */
  getConfig(input: types.IntentsGetConfigInput, options?: CallOptions): Promise<types.ConfigView>;
  /** Change fields of the configuration of an intent. Scope: write. */
  updateConfig(input: types.IntentsUpdateConfigInput, options?: CallOptions): Promise<types.ConfigView>;
  /** Remove every field that the configuration of an intent sets. Scope: write. */
  resetConfig(input: types.IntentsResetConfigInput, options?: CallOptions): Promise<types.ConfigView>;
  /** List the requests of an intent. Scope: read. */
  listRequests(input: types.IntentsListRequestsInput, options?: CallOptions): PagedList<types.RecordedRequest>;
  /** List the models that the traffic or the configuration of an intent uses. Scope: read. */
  listModels(input: types.IntentsListModelsInput, options?: CallOptions): PagedList<types.Model>;
  /** List the sessions in which an intent occurs. Scope: read. */
  listSessions(input: types.IntentsListSessionsInput, options?: CallOptions): PagedList<types.ChatSession>;
  /** List the datasets of an intent. Scope: read. */
  listDatasets(input: types.IntentsListDatasetsInput, options?: CallOptions): PagedList<types.Dataset>;
}

export interface IntentGroupsApi {
  /** List the intent groups. Scope: read. */
  list(input?: types.IntentGroupsListInput, options?: CallOptions): PagedList<types.IntentGroup>;
  /** Create an intent group for future intents of its name. Scope: write. */
  create(input: types.IntentGroupsCreateInput, options?: CallOptions): Promise<types.IntentGroup>;
  /** Get an intent group. Scope: read. */
  get(input: types.IntentGroupsGetInput, options?: CallOptions): Promise<types.IntentGroup>;
  /** Change an intent group. Scope: write. */
  update(input: types.IntentGroupsUpdateInput, options?: CallOptions): Promise<types.IntentGroup>;
  /** Delete an intent group without intents. Scope: write. */
  delete(input: types.IntentGroupsDeleteInput, options?: CallOptions): Promise<types.Deleted>;
  /** Get the configuration of an intent group. Scope: read. */
  getConfig(input: types.IntentGroupsGetConfigInput, options?: CallOptions): Promise<types.ConfigView>;
  /** Change fields of the configuration of an intent group. Scope: write. */
  updateConfig(input: types.IntentGroupsUpdateConfigInput, options?: CallOptions): Promise<types.ConfigView>;
  /** List the intents of an intent group. Scope: read. */
  listIntents(input: types.IntentGroupsListIntentsInput, options?: CallOptions): PagedList<types.Intent>;
  /** List the requests of an intent group. Scope: read. */
  listRequests(input: types.IntentGroupsListRequestsInput, options?: CallOptions): PagedList<types.RecordedRequest>;
  /** List the models that the traffic or the configuration of an intent group uses. Scope: read. */
  listModels(input: types.IntentGroupsListModelsInput, options?: CallOptions): PagedList<types.Model>;
  /** List the test sets whose items or tags come from an intent group. Scope: read. */
  listTestSets(input: types.IntentGroupsListTestSetsInput, options?: CallOptions): PagedList<types.TestSet>;
  /** List the datasets of an intent group. Scope: read. */
  listDatasets(input: types.IntentGroupsListDatasetsInput, options?: CallOptions): PagedList<types.Dataset>;
  /** List the compositions of an intent group. Scope: read. */
  listCompositions(input: types.IntentGroupsListCompositionsInput, options?: CallOptions): PagedList<types.Composition>;
  /** List the finetune runs of an intent group. Scope: read. */
  listFinetuneRuns(input: types.IntentGroupsListFinetuneRunsInput, options?: CallOptions): PagedList<types.FinetuneRun>;
}

export interface ModelsApi {
  /** List the models. Scope: read. */
  list(input?: types.ModelsListInput, options?: CallOptions): PagedList<types.Model>;
  /** List the models that can be called now. Scope: read. */
  listAvailable(input?: types.ModelsListAvailableInput, options?: CallOptions): PagedList<types.Model>;
  /** Create a model. Scope: write. */
  create(input: types.ModelsCreateInput, options?: CallOptions): Promise<types.Model>;
  /** Get a model by id or name. Scope: read. */
  get(input: types.ModelsGetInput, options?: CallOptions): Promise<types.Model>;
  /** Change a model. Scope: write. */
  update(input: types.ModelsUpdateInput, options?: CallOptions): Promise<types.Model>;
  /** Delete a model. Scope: write. */
  delete(input: types.ModelsDeleteInput, options?: CallOptions): Promise<types.Deleted>;
  /** Enable a model. Scope: write. */
  enable(input: types.ModelsEnableInput, options?: CallOptions): Promise<types.Model>;
  /** Disable a model. Scope: write. */
  disable(input: types.ModelsDisableInput, options?: CallOptions): Promise<types.Model>;
  /** Tell over time how a model was used. Scope: read. */
  getUsage(input: types.ModelsGetUsageInput, options?: CallOptions): Promise<types.ModelUsage>;
  /** List the providers. Scope: read. */
  listProviders(input?: types.ModelsListProvidersInput, options?: CallOptions): PagedList<types.Provider>;
  /** Create a provider. Scope: admin. */
  createProvider(input: types.ModelsCreateProviderInput, options?: CallOptions): Promise<types.Provider>;
  /** Get a provider. Scope: read. */
  getProvider(input: types.ModelsGetProviderInput, options?: CallOptions): Promise<types.Provider>;
  /** Change a provider. Scope: admin. */
  updateProvider(input: types.ModelsUpdateProviderInput, options?: CallOptions): Promise<types.Provider>;
  /** Delete a provider without models. Scope: admin. */
  deleteProvider(input: types.ModelsDeleteProviderInput, options?: CallOptions): Promise<types.Deleted>;
  /** Test the connection to a provider. Scope: admin. */
  testProvider(input: types.ModelsTestProviderInput, options?: CallOptions): Promise<types.ProviderTest>;
}

export interface ChatApi {
  /** Create a chat completion. Scope: invoke. */
  create(input: types.ChatCreateInput & { stream: true }, options?: StreamOptions): CompletionStream<types.ChatCompletionChunk>;
  create(input: types.ChatCreateInput, options?: CallOptions): Promise<types.Completion>;
  /** Store an answer that was produced elsewhere. Scope: write. */
  storeCompletion(input: types.ChatStoreCompletionInput, options?: CallOptions): Promise<types.StoredCompletion>;
  /** Store many answers that were produced elsewhere. Scope: write. */
  storeCompletions(input: types.ChatStoreCompletionsInput, options?: CallOptions): Promise<types.StoredCompletion[]>;
}

export interface RequestsApi {
  /** List the requests. Scope: read. */
  list(input?: types.RequestsListInput, options?: CallOptions): PagedList<types.RecordedRequest>;
  /** Search the requests. Scope: read. */
  search(input?: types.RequestsSearchInput, options?: CallOptions): PagedList<types.RecordedRequest>;
  /** Get a request. Scope: read. */
  get(input: types.RequestsGetInput, options?: CallOptions): Promise<types.RecordedRequest>;
  /** Delete the content of a request. Scope: write. */
  delete(input: types.RequestsDeleteInput, options?: CallOptions): Promise<types.Deleted>;
  /** Get the answer of a request and its correction. Scope: read. */
  getResponse(input: types.RequestsGetResponseInput, options?: CallOptions): Promise<types.ResponsePair>;
  /** Correct the answer of a request. Scope: write. */
  correct(input: types.RequestsCorrectInput, options?: CallOptions): Promise<types.RecordedRequest>;
  /** Remove the correction; the original answer applies again. Scope: write. */
  removeCorrection(input: types.RequestsRemoveCorrectionInput, options?: CallOptions): Promise<types.Deleted>;
  /** Repeat the call of a request. Scope: invoke. */
  rerun(input: types.RequestsRerunInput, options?: CallOptions): Promise<types.RecordedRequest>;
  /** Judge a request by sentinels and store the results. Scope: invoke. */
  evaluate(input: types.RequestsEvaluateInput, options?: CallOptions): Promise<types.EvaluationResult[]>;
  /** List the evaluations of a request. Scope: read. */
  listEvaluations(input: types.RequestsListEvaluationsInput, options?: CallOptions): PagedList<types.EvaluationResult>;
}

export interface SessionsApi {
  /** List the sessions. Scope: read. */
  list(input?: types.SessionsListInput, options?: CallOptions): PagedList<types.ChatSession>;
  /** Search the sessions. Scope: read. */
  search(input?: types.SessionsSearchInput, options?: CallOptions): PagedList<types.ChatSession>;
  /** Get a session. Scope: read. */
  get(input: types.SessionsGetInput, options?: CallOptions): Promise<types.ChatSession>;
  /** Change the metadata of a session. Scope: write. */
  update(input: types.SessionsUpdateInput, options?: CallOptions): Promise<types.ChatSession>;
  /** Delete a session and the content of its requests. Scope: write. */
  delete(input: types.SessionsDeleteInput, options?: CallOptions): Promise<types.Deleted>;
  /** List the requests of a session. Scope: read. */
  listRequests(input: types.SessionsListRequestsInput, options?: CallOptions): PagedList<types.RecordedRequest>;
  /** List the events of a session, oldest first. Scope: read. */
  listTimeline(input: types.SessionsListTimelineInput, options?: CallOptions): PagedList<types.SessionEvent>;
  /** Get the feedback. Scope: read. */
  getFeedback(input: types.SessionsGetFeedbackInput, options?: CallOptions): Promise<types.SessionFeedback>;
  /** Set the feedback; it replaces earlier feedback. Scope: write. */
  giveFeedback(input: types.SessionsGiveFeedbackInput, options?: CallOptions): Promise<types.SessionFeedback>;
  /** Delete the feedback. Scope: write. */
  deleteFeedback(input: types.SessionsDeleteFeedbackInput, options?: CallOptions): Promise<types.Deleted>;
  /** Run transform_session of a workflow on a session; nothing is stored. Scope: invoke. */
  previewTransform(input: types.SessionsPreviewTransformInput, options?: CallOptions): Promise<types.TransformResult>;
}

export interface TagsApi {
  /** List the tags. Scope: read. */
  list(input?: types.TagsListInput, options?: CallOptions): PagedList<types.Tag>;
  /** Create a tag. Scope: write. */
  create(input: types.TagsCreateInput, options?: CallOptions): Promise<types.Tag>;
  /** Get a tag. Scope: read. */
  get(input: types.TagsGetInput, options?: CallOptions): Promise<types.Tag>;
  /** Change a tag. Scope: write. */
  update(input: types.TagsUpdateInput, options?: CallOptions): Promise<types.Tag>;
  /** Delete a tag with its assignments and rules. Scope: write. */
  delete(input: types.TagsDeleteInput, options?: CallOptions): Promise<types.Deleted>;
  /** List the requests that have a tag. Scope: read. */
  listRequests(input: types.TagsListRequestsInput, options?: CallOptions): PagedList<types.RecordedRequest>;
  /** List the tags of a request. Scope: read. */
  listRequestTags(input: types.TagsListRequestTagsInput, options?: CallOptions): Promise<types.RequestTag[]>;
  /** Add a tag to a request; a second time changes nothing. Scope: write. */
  addRequestTag(input: types.TagsAddRequestTagInput, options?: CallOptions): Promise<types.RequestTag[]>;
  /** Remove a tag from a request. Scope: write. */
  removeRequestTag(input: types.TagsRemoveRequestTagInput, options?: CallOptions): Promise<types.Deleted>;
  /** List the tag rules. Scope: read. */
  listRules(input?: types.TagsListRulesInput, options?: CallOptions): PagedList<types.TagRule>;
  /** Create a tag rule. Scope: write. */
  createRule(input: types.TagsCreateRuleInput, options?: CallOptions): Promise<types.TagRule>;
  /** Get a tag rule. Scope: read. */
  getRule(input: types.TagsGetRuleInput, options?: CallOptions): Promise<types.TagRule>;
  /** Change a tag rule; tag runs keep the rules with which they were created. Scope: write. */
  updateRule(input: types.TagsUpdateRuleInput, options?: CallOptions): Promise<types.TagRule>;
  /** Delete a tag rule; the tags it has assigned stay. Scope: write. */
  deleteRule(input: types.TagsDeleteRuleInput, options?: CallOptions): Promise<types.Deleted>;
  /** Enable a tag rule. Scope: write. */
  enableRule(input: types.TagsEnableRuleInput, options?: CallOptions): Promise<types.TagRule>;
  /** Disable a tag rule: new requests are not tagged by it. Scope: write. */
  disableRule(input: types.TagsDisableRuleInput, options?: CallOptions): Promise<types.TagRule>;
  /** Judge requests by a tag rule without tagging them. Scope: invoke. */
  previewRule(input: types.TagsPreviewRuleInput, options?: CallOptions): Promise<types.TagVerdict[]>;
  /** List the tag runs. Scope: read. */
  listRuns(input?: types.TagsListRunsInput, options?: CallOptions): PagedList<types.TagRun>;
  /** Apply tag rules to recorded requests; a run removes no tag. Scope: invoke. */
  createRun(input: types.TagsCreateRunInput, options?: CallOptions): Promise<types.TagRun>;
  /** Get a tag run. Scope: read. */
  getRun(input: types.TagsGetRunInput, options?: CallOptions): Promise<types.TagRun>;
  /** Cancel a tag run; the tags it has assigned stay. Scope: invoke. */
  cancelRun(input: types.TagsCancelRunInput, options?: CallOptions): Promise<types.TagRun>;
}

export interface SentinelsApi {
  /** List the sentinels. Scope: read. */
  list(input?: types.SentinelsListInput, options?: CallOptions): PagedList<types.Sentinel>;
  /** Create a sentinel over the answers of an intent group. Scope: write. */
  create(input: types.SentinelsCreateInput, options?: CallOptions): Promise<types.Sentinel>;
  /** Propose a sentinel for a description, without storing it. Scope: invoke. */
  generate(input: types.SentinelsGenerateInput, options?: CallOptions): Promise<types.GeneratedSentinel>;
  /** Get a sentinel. Scope: read. */
  get(input: types.SentinelsGetInput, options?: CallOptions): Promise<types.Sentinel>;
  /** Change a sentinel; evaluation runs keep the sentinels with which they were created. Scope: write. */
  update(input: types.SentinelsUpdateInput, options?: CallOptions): Promise<types.Sentinel>;
  /** Delete a sentinel; its results stay. Scope: write. */
  delete(input: types.SentinelsDeleteInput, options?: CallOptions): Promise<types.Deleted>;
  /** Enable a sentinel. Scope: write. */
  enable(input: types.SentinelsEnableInput, options?: CallOptions): Promise<types.Sentinel>;
  /** Disable a sentinel: new traffic is not judged by it. Scope: write. */
  disable(input: types.SentinelsDisableInput, options?: CallOptions): Promise<types.Sentinel>;
  /** Judge a recorded request, or messages and an answer, without storing anything. Scope: invoke. */
  test(input: types.SentinelsTestInput, options?: CallOptions): Promise<types.EvaluationTrial>;
  /** List the results of a sentinel. Scope: read. */
  listResults(input: types.SentinelsListResultsInput, options?: CallOptions): PagedList<types.EvaluationResult>;
  /** List the sentinels of an intent group. Scope: read. */
  listIntentGroupSentinels(input: types.SentinelsListIntentGroupSentinelsInput, options?: CallOptions): PagedList<types.Sentinel>;
}

export interface EvaluationsApi {
  /** List the results of sentinels. Scope: read. */
  listResults(input?: types.EvaluationsListResultsInput, options?: CallOptions): PagedList<types.EvaluationResult>;
  /** Search the results of sentinels. Scope: read. */
  searchResults(input?: types.EvaluationsSearchResultsInput, options?: CallOptions): PagedList<types.EvaluationResult>;
  /** List the newest 1,000 results of one request. Scope: read. */
  listResultsOfRequest(input: types.EvaluationsListResultsOfRequestInput, options?: CallOptions): Promise<types.EvaluationResult[]>;
  /** List the evaluation runs. Scope: read. */
  list(input?: types.EvaluationsListInput, options?: CallOptions): PagedList<types.EvaluationRun>;
  /** Judge recorded requests of an intent by sentinels. Scope: invoke. */
  create(input: types.EvaluationsCreateInput, options?: CallOptions): Promise<types.EvaluationRun>;
  /** Count what an evaluation run would judge, and estimate its cost. Scope: read. */
  estimate(input: types.EvaluationsEstimateInput, options?: CallOptions): Promise<types.EvaluationEstimate>;
  /** Get an evaluation run. Scope: read. */
  get(input: types.EvaluationsGetInput, options?: CallOptions): Promise<types.EvaluationRun>;
  /** Delete an evaluation run that has ended; its results stay. Scope: write. */
  delete(input: types.EvaluationsDeleteInput, options?: CallOptions): Promise<types.Deleted>;
  /** Cancel an evaluation run; the results it has stored stay. Scope: invoke. */
  cancel(input: types.EvaluationsCancelInput, options?: CallOptions): Promise<types.EvaluationRun>;
  /** Repeat the failed judgements of an evaluation run, in the place of their results. Scope: invoke. */
  resetFailed(input: types.EvaluationsResetFailedInput, options?: CallOptions): Promise<types.EvaluationRun>;
  /** List the results of an evaluation run by request. Scope: read. */
  listRunResults(input: types.EvaluationsListRunResultsInput, options?: CallOptions): PagedList<types.RequestEvaluationResults>;
}

export interface ReportsApi {
  /** List the faults that sentinels have found. Scope: read. */
  listFaults(input: types.ReportsListFaultsInput & { format: "csv" }, options?: CallOptions): Promise<Download>;
  listFaults(input?: types.ReportsListFaultsInput, options?: CallOptions): PagedList<types.ReportedFault>;
  /** Count the faults by sentinel, intent, application or day. Scope: read. */
  summarizeFaults(input: types.ReportsSummarizeFaultsInput & { format: "csv" }, options?: CallOptions): Promise<Download>;
  summarizeFaults(input?: types.ReportsSummarizeFaultsInput, options?: CallOptions): PagedList<types.FaultSummary>;
  /** List the requests that a fallback model answered. Scope: read. */
  listFallbacks(input: types.ReportsListFallbacksInput & { format: "csv" }, options?: CallOptions): Promise<Download>;
  listFallbacks(input?: types.ReportsListFallbacksInput, options?: CallOptions): PagedList<types.ReportedFallback>;
  /** Count the fallbacks by model, reason or day. Scope: read. */
  summarizeFallbacks(input: types.ReportsSummarizeFallbacksInput & { format: "csv" }, options?: CallOptions): Promise<Download>;
  summarizeFallbacks(input?: types.ReportsSummarizeFallbacksInput, options?: CallOptions): PagedList<types.FallbackSummary>;
}

export interface SearchApi {
  /** Search the API and the command line in natural language. Scope: read. */
  documents(input: types.SearchDocumentsInput, options?: CallOptions): Promise<types.SearchResults>;
  /** Search the API and the command line in natural language. Scope: read. */
  documentsByBody(input: types.SearchDocumentsByBodyInput, options?: CallOptions): Promise<types.SearchResults>;
  /** Ask how something is done with the API. Scope: read. */
  ask(input: types.SearchAskInput, options?: CallOptions): Promise<types.HelpAnswer>;
  /** Find resources of any family by name or id. Scope: read. */
  find(input: types.SearchFindInput, options?: CallOptions): Promise<types.Found[]>;
}

export interface AnalyticsApi {
  /** Count the requests over time. Scope: read. */
  getRequestVolume(input?: types.AnalyticsGetRequestVolumeInput, options?: CallOptions): Promise<types.RequestVolume>;
  /** Get the fault rate over time. Scope: read. */
  getFaultRate(input?: types.AnalyticsGetFaultRateInput, options?: CallOptions): Promise<types.FaultRate>;
  /** Get response times over time. Scope: read. */
  getLatency(input?: types.AnalyticsGetLatencyInput, options?: CallOptions): Promise<types.Latency>;
  /** Get the tokens used and their cost over time. Scope: read. */
  getUsage(input?: types.AnalyticsGetUsageInput, options?: CallOptions): Promise<types.UsageOverTime>;
  /** Summarize the requests of a date range. Scope: read. */
  getSummary(input?: types.AnalyticsGetSummaryInput, options?: CallOptions): Promise<types.AnalyticsSummary>;
}

export interface AgentsApi {
  /** List the agents. Scope: read. */
  list(input?: types.AgentsListInput, options?: CallOptions): PagedList<types.AgentSummary>;
  /** Create an agent. Scope: write. */
  create(input: types.AgentsCreateInput, options?: CallOptions): Promise<types.Agent>;
  /** Get an agent with its parts. Scope: read. */
  get(input: types.AgentsGetInput, options?: CallOptions): Promise<types.Agent>;
  /** Change the draft of an agent. Scope: write. */
  update(input: types.AgentsUpdateInput, options?: CallOptions): Promise<types.Agent>;
  /** Delete an agent. Scope: write. */
  delete(input: types.AgentsDeleteInput, options?: CallOptions): Promise<types.Deleted>;
  /** Enable an agent. Scope: write. */
  enable(input: types.AgentsEnableInput, options?: CallOptions): Promise<types.Agent>;
  /** Disable an agent; it can no longer be invoked. Scope: write. */
  disable(input: types.AgentsDisableInput, options?: CallOptions): Promise<types.Agent>;
  /** List the actions of an agent. Scope: read. */
  listActions(input: types.AgentsListActionsInput, options?: CallOptions): PagedList<types.AgentAction>;
  /** Add an action to an agent. Scope: write. */
  createAction(input: types.AgentsCreateActionInput, options?: CallOptions): Promise<types.AgentAction>;
  /** Get an action. Scope: read. */
  getAction(input: types.AgentsGetActionInput, options?: CallOptions): Promise<types.AgentAction>;
  /** Change an action. Scope: write. */
  updateAction(input: types.AgentsUpdateActionInput, options?: CallOptions): Promise<types.AgentAction>;
  /** Delete an action. Scope: write. */
  deleteAction(input: types.AgentsDeleteActionInput, options?: CallOptions): Promise<types.Deleted>;
  /** Enable an action. Scope: write. */
  enableAction(input: types.AgentsEnableActionInput, options?: CallOptions): Promise<types.AgentAction>;
  /** Disable an action; it is no longer chosen. Scope: write. */
  disableAction(input: types.AgentsDisableActionInput, options?: CallOptions): Promise<types.AgentAction>;
  /** Run one action with given arguments; nothing is stored. Scope: invoke. */
  testAction(input: types.AgentsTestActionInput, options?: CallOptions): Promise<types.ActionTest>;
  /** List the sub-agents of an agent. Scope: read. */
  listSubAgents(input: types.AgentsListSubAgentsInput, options?: CallOptions): PagedList<types.SubAgentLink>;
  /** Link a sub-agent to an agent. Scope: write. */
  addSubAgent(input: types.AgentsAddSubAgentInput, options?: CallOptions): Promise<types.SubAgentLink>;
  /** Change the link to a sub-agent. Scope: write. */
  updateSubAgent(input: types.AgentsUpdateSubAgentInput, options?: CallOptions): Promise<types.SubAgentLink>;
  /** Remove a sub-agent. Scope: write. */
  removeSubAgent(input: types.AgentsRemoveSubAgentInput, options?: CallOptions): Promise<types.Deleted>;
  /** Get the routing of an agent. Scope: read. */
  getRouting(input: types.AgentsGetRoutingInput, options?: CallOptions): Promise<types.Routing>;
  /** Change how an agent routes when no rule matches. Scope: write. */
  updateRouting(input: types.AgentsUpdateRoutingInput, options?: CallOptions): Promise<types.Routing>;
  /** List the routing rules of an agent. Scope: read. */
  listRoutingRules(input: types.AgentsListRoutingRulesInput, options?: CallOptions): PagedList<types.RoutingRule>;
  /** Add a routing rule, at the end unless a position is given. Scope: write. */
  createRoutingRule(input: types.AgentsCreateRoutingRuleInput, options?: CallOptions): Promise<types.RoutingRule>;
  /** Get a routing rule. Scope: read. */
  getRoutingRule(input: types.AgentsGetRoutingRuleInput, options?: CallOptions): Promise<types.RoutingRule>;
  /** Change a routing rule. Scope: write. */
  updateRoutingRule(input: types.AgentsUpdateRoutingRuleInput, options?: CallOptions): Promise<types.RoutingRule>;
  /** Delete a routing rule. Scope: write. */
  deleteRoutingRule(input: types.AgentsDeleteRoutingRuleInput, options?: CallOptions): Promise<types.Deleted>;
  /** Move a routing rule to a position; without one to the end. Scope: write. */
  reorderRoutingRule(input: types.AgentsReorderRoutingRuleInput, options?: CallOptions): Promise<types.RoutingRule[]>;
  /** Try the routing on messages; nothing is stored. Scope: invoke. */
  testRouting(input: types.AgentsTestRoutingInput, options?: CallOptions): Promise<types.RoutingTest>;
  /** List the form fields of an agent. Scope: read. */
  listFormFields(input: types.AgentsListFormFieldsInput, options?: CallOptions): PagedList<types.FormField>;
  /** Add a form field, at the end unless a position is given. Scope: write. */
  createFormField(input: types.AgentsCreateFormFieldInput, options?: CallOptions): Promise<types.FormField>;
  /** Get a form field. Scope: read. */
  getFormField(input: types.AgentsGetFormFieldInput, options?: CallOptions): Promise<types.FormField>;
  /** Change a form field. Scope: write. */
  updateFormField(input: types.AgentsUpdateFormFieldInput, options?: CallOptions): Promise<types.FormField>;
  /** Delete a form field. Scope: write. */
  deleteFormField(input: types.AgentsDeleteFormFieldInput, options?: CallOptions): Promise<types.Deleted>;
  /** Move a form field to a position; without one to the end. Scope: write. */
  reorderFormField(input: types.AgentsReorderFormFieldInput, options?: CallOptions): Promise<types.FormField>;
  /** Copy the draft of an agent under a new name. Scope: write. */
  clone(input: types.AgentsCloneInput, options?: CallOptions): Promise<types.Agent>;
  /** Create or update agents from a manifest, all or none. Scope: write. */
  import(input: types.AgentsImportInput, options?: CallOptions): Promise<types.AgentImport>;
  /** Get an agent as an importable manifest. Scope: read. */
  export(input: types.AgentsExportInput, options?: CallOptions): Promise<types.AgentManifest>;
  /** Publish the draft of the agent as a new immutable version. Scope: write. */
  publishVersion(input: types.AgentsPublishVersionInput, options?: CallOptions): Promise<types.AgentVersion>;
  /** List the published versions of the agent, newest first. Scope: read. */
  listVersions(input: types.AgentsListVersionsInput, options?: CallOptions): PagedList<types.AgentVersion>;
  /** Compare two versions of the agent. Scope: read. */
  diffVersions(input: types.AgentsDiffVersionsInput, options?: CallOptions): Promise<types.VersionDiff>;
  /** Get one published version of the agent. Scope: read. */
  getVersion(input: types.AgentsGetVersionInput, options?: CallOptions): Promise<types.AgentVersion>;
  /** Copy a published version onto the draft of the agent. Scope: write. */
  restoreVersion(input: types.AgentsRestoreVersionInput, options?: CallOptions): Promise<types.Agent>;
  /** List the releases of the agent. Scope: read. */
  listReleases(input: types.AgentsListReleasesInput, options?: CallOptions): PagedList<types.Release>;
  /** Create a release of the agent. Scope: write. */
  createRelease(input: types.AgentsCreateReleaseInput, options?: CallOptions): Promise<types.Release>;
  /** Get a release of the agent. Scope: read. */
  getRelease(input: types.AgentsGetReleaseInput, options?: CallOptions): Promise<types.Release>;
  /** Move, rename or change a release of the agent. Scope: write. */
  updateRelease(input: types.AgentsUpdateReleaseInput, options?: CallOptions): Promise<types.Release>;
  /** Delete a release of the agent. Scope: write. */
  deleteRelease(input: types.AgentsDeleteReleaseInput, options?: CallOptions): Promise<types.Deleted>;
  /** Check the gate of a release of the agent for a version without moving it. Scope: read. */
  checkRelease(input: types.AgentsCheckReleaseInput, options?: CallOptions): Promise<types.GateResult>;
  /** List the moves of a release of the agent, newest first. Scope: read. */
  listReleaseMoves(input: types.AgentsListReleaseMovesInput, options?: CallOptions): PagedList<types.ReleaseMove>;
  /** Run an agent and, by default, wait for its answer. Scope: invoke. */
  invoke(input: types.AgentsInvokeInput & { stream: true }, options?: StreamOptions): EventStream<types.TaskStreamEvent>;
  invoke(input: types.AgentsInvokeInput, options?: CallOptions): Promise<types.Invocation>;
  /** List the tasks of an agent, without their messages unless asked. Scope: read. */
  listTasks(input: types.AgentsListTasksInput, options?: CallOptions): PagedList<types.ListedTask>;
  /** List the tasks of all agents, without their messages unless asked. Scope: read. */
  listAllTasks(input?: types.AgentsListAllTasksInput, options?: CallOptions): PagedList<types.ListedTask>;
  /** Get a task of any agent, waiting up to 30 s for its end. Scope: read. */
  getAnyTask(input: types.AgentsGetAnyTaskInput, options?: CallOptions): Promise<types.Task>;
  /** Get a task, waiting up to 30 s for its end. Scope: read. */
  getTask(input: types.AgentsGetTaskInput, options?: CallOptions): Promise<types.Task>;
  /** List what happened in a task, oldest first. Scope: read. */
  listTaskTimeline(input: types.AgentsListTaskTimelineInput, options?: CallOptions): PagedList<types.TimelineEvent>;
  /** Follow a task as server-sent events. Scope: read. */
  streamTask(input: types.AgentsStreamTaskInput, options?: StreamOptions): EventStream<types.TaskStreamEvent>;
  /** Cancel a task that has not ended. Scope: invoke. */
  cancelTask(input: types.AgentsCancelTaskInput, options?: CallOptions): Promise<types.Task>;
  /** List the sessions of an agent. Scope: read. */
  listSessions(input: types.AgentsListSessionsInput, options?: CallOptions): PagedList<types.AgentSession>;
  /** Get a session. Scope: read. */
  getSession(input: types.AgentsGetSessionInput, options?: CallOptions): Promise<types.AgentSession>;
  /** Delete a session. Scope: write. */
  deleteSession(input: types.AgentsDeleteSessionInput, options?: CallOptions): Promise<types.Deleted>;
  /** Change values of the state of a session; others are kept. Scope: write. */
  updateSessionState(input: types.AgentsUpdateSessionStateInput, options?: CallOptions): Promise<types.AgentSession>;
  /** List the events of a session, oldest first. Scope: read. */
  listSessionTimeline(input: types.AgentsListSessionTimelineInput, options?: CallOptions): PagedList<types.TimelineEvent>;
  /** List the tasks of a session. Scope: read. */
  listSessionTasks(input: types.AgentsListSessionTasksInput, options?: CallOptions): PagedList<types.ListedTask>;
  /** Get the feedback on a session. Scope: read. */
  getSessionFeedback(input: types.AgentsGetSessionFeedbackInput, options?: CallOptions): Promise<types.SessionFeedback>;
  /** Set the feedback on a session; it replaces earlier feedback. Scope: write. */
  setSessionFeedback(input: types.AgentsSetSessionFeedbackInput, options?: CallOptions): Promise<types.SessionFeedback>;
  /** Remove the feedback on a session. Scope: write. */
  deleteSessionFeedback(input: types.AgentsDeleteSessionFeedbackInput, options?: CallOptions): Promise<types.Deleted>;
  /** Answer a task that waits for a callback; any JSON, no key. */
  answerHook(input: types.AgentsAnswerHookInput, options?: CallOptions): Promise<types.Resumed>;
}

export interface ReleasesApi {
  /** List the releases of all agents, workflows and monitors. Scope: read. */
  listAll(input?: types.ReleasesListAllInput, options?: CallOptions): PagedList<types.ReleaseOverview>;
}

export interface McpServersApi {
  /** List the MCP servers. Scope: read. */
  list(input?: types.McpServersListInput, options?: CallOptions): PagedList<types.McpServerSummary>;
  /** Create an MCP server; its tools come with the first refresh. Scope: write. */
  create(input: types.McpServersCreateInput, options?: CallOptions): Promise<types.McpServer>;
  /** Get an MCP server with its tools. Scope: read. */
  get(input: types.McpServersGetInput, options?: CallOptions): Promise<types.McpServer>;
  /** Change an MCP server. Scope: write. */
  update(input: types.McpServersUpdateInput, options?: CallOptions): Promise<types.McpServer>;
  /** Delete an MCP server that no agent names. Scope: write. */
  delete(input: types.McpServersDeleteInput, options?: CallOptions): Promise<types.Deleted>;
  /** Ask an MCP server for its tools. Scope: invoke. */
  refresh(input: types.McpServersRefreshInput, options?: CallOptions): Promise<types.McpServer>;
}

export interface EvaluationCriteriaApi {
  /** List the evaluation criteria. Scope: read. */
  list(input?: types.EvaluationCriteriaListInput, options?: CallOptions): PagedList<types.EvaluationCriteria>;
  /** Create an evaluation criterion. Scope: write. */
  create(input: types.EvaluationCriteriaCreateInput, options?: CallOptions): Promise<types.EvaluationCriteria>;
  /** Compile the script of a criterion; nothing is run and nothing is stored. Scope: read. */
  validate(input: types.EvaluationCriteriaValidateInput, options?: CallOptions): Promise<types.CriteriaValidation>;
  /** Get an evaluation criterion. Scope: read. */
  get(input: types.EvaluationCriteriaGetInput, options?: CallOptions): Promise<types.EvaluationCriteria>;
  /** Change an evaluation criterion; earlier scores keep what they used. Scope: write. */
  update(input: types.EvaluationCriteriaUpdateInput, options?: CallOptions): Promise<types.EvaluationCriteria>;
  /** Delete an evaluation criterion that no test set and no test run names. Scope: write. */
  delete(input: types.EvaluationCriteriaDeleteInput, options?: CallOptions): Promise<types.Deleted>;
  /** Enable an evaluation criterion. Scope: write. */
  enable(input: types.EvaluationCriteriaEnableInput, options?: CallOptions): Promise<types.EvaluationCriteria>;
  /** Disable an evaluation criterion: scorings skip it. Scope: write. */
  disable(input: types.EvaluationCriteriaDisableInput, options?: CallOptions): Promise<types.EvaluationCriteria>;
  /** Judge an output by an evaluation criterion; stores nothing. Scope: invoke. */
  test(input: types.EvaluationCriteriaTestInput, options?: CallOptions): Promise<types.CriterionTrial>;
}

export interface TestSetsApi {
  /** List the test sets. Scope: read. */
  list(input?: types.TestSetsListInput, options?: CallOptions): PagedList<types.TestSet>;
  /** Create a test set. Scope: write. */
  create(input: types.TestSetsCreateInput, options?: CallOptions): Promise<types.TestSet>;
  /** Get a test set. Scope: read. */
  get(input: types.TestSetsGetInput, options?: CallOptions): Promise<types.TestSet>;
  /** Change a test set. Scope: write. */
  update(input: types.TestSetsUpdateInput, options?: CallOptions): Promise<types.TestSet>;
  /** Delete a test set that no gate policy and no unfinished run names. Scope: write. */
  delete(input: types.TestSetsDeleteInput, options?: CallOptions): Promise<types.Deleted>;
  /** Copy a test set with its items and overrides. Scope: write. */
  clone(input: types.TestSetsCloneInput, options?: CallOptions): Promise<types.TestSet>;
  /** List the items of a test set in their order. Scope: read. */
  listItems(input: types.TestSetsListItemsInput, options?: CallOptions): PagedList<types.ListedTestSetItem>;
  /** Search the items of a test set. Scope: read. */
  searchItems(input: types.TestSetsSearchItemsInput, options?: CallOptions): PagedList<types.ListedTestSetItem>;
  /** Add an item to a test set. Scope: write. */
  createItem(input: types.TestSetsCreateItemInput, options?: CallOptions): Promise<types.TestSetItem>;
  /** Get an item. Scope: read. */
  getItem(input: types.TestSetsGetItemInput, options?: CallOptions): Promise<types.TestSetItem>;
  /** Change an item; input and expected output only of a manual one. Scope: write. */
  updateItem(input: types.TestSetsUpdateItemInput, options?: CallOptions): Promise<types.TestSetItem>;
  /** Delete an item. Scope: write. */
  deleteItem(input: types.TestSetsDeleteItemInput, options?: CallOptions): Promise<types.Deleted>;
  /** Get the override of an item's expected output. Scope: read. */
  getResponseSub(input: types.TestSetsGetResponseSubInput, options?: CallOptions): Promise<types.ResponseSub>;
  /** Override an item's expected output; the baseline stays. Scope: write. */
  setResponseSub(input: types.TestSetsSetResponseSubInput, options?: CallOptions): Promise<types.TestSetItem>;
  /** Remove the override of an item's expected output; the baseline applies again. Scope: write. */
  deleteResponseSub(input: types.TestSetsDeleteResponseSubInput, options?: CallOptions): Promise<types.Deleted>;
  /** Import a recorded request; importing it again returns the same item. Scope: write. */
  importRequest(input: types.TestSetsImportRequestInput, options?: CallOptions): Promise<types.ImportedItem>;
  /** Import a completed workflow run; importing it again returns the same item. Scope: write. */
  importWorkflowRun(input: types.TestSetsImportWorkflowRunInput, options?: CallOptions): Promise<types.ImportedItem>;
  /** Import a completed agent task; importing it again returns the same item. Scope: write. */
  importAgentTask(input: types.TestSetsImportAgentTaskInput, options?: CallOptions): Promise<types.ImportedItem>;
  /** Import many sources; each is imported once. Scope: write. */
  importBulk(input: types.TestSetsImportBulkInput, options?: CallOptions): Promise<types.BulkImport>;
  /** Export the items of a test set with their overrides, as JSONL or CSV, whose formulas begin with an apostrophe. Scope: read. */
  export(input: types.TestSetsExportInput, options?: CallOptions): Promise<Download>;
  /** Add the rows of a JSONL or CSV file, at most 100 MiB; rows that are not items are named by their line. Scope: write. */
  importFile(input: types.TestSetsImportFileInput, options?: CallOptions): Promise<types.FileImport>;
}

export interface MonitorsApi {
  /** List the monitors. Scope: read. */
  list(input?: types.MonitorsListInput, options?: CallOptions): PagedList<types.MonitorSummary>;
  /** Create a monitor as a draft. Scope: write. */
  create(input: types.MonitorsCreateInput, options?: CallOptions): Promise<types.Monitor>;
  /** Get a monitor with its targets. Scope: read. */
  get(input: types.MonitorsGetInput, options?: CallOptions): Promise<types.Monitor>;
  /** Change the draft of a monitor. Scope: write. */
  update(input: types.MonitorsUpdateInput, options?: CallOptions): Promise<types.Monitor>;
  /** Delete a monitor with its targets. Scope: write. */
  delete(input: types.MonitorsDeleteInput, options?: CallOptions): Promise<types.Deleted>;
  /** Start judging production traffic with the published version. Scope: write. */
  activate(input: types.MonitorsActivateInput, options?: CallOptions): Promise<types.Monitor>;
  /** Stop judging production traffic. Scope: write. */
  pause(input: types.MonitorsPauseInput, options?: CallOptions): Promise<types.Monitor>;
  /** Check whether a configuration can judge. Scope: read. */
  validate(input: types.MonitorsValidateInput, options?: CallOptions): Promise<types.MonitorValidation>;
  /** List the targets of a monitor. Scope: read. */
  listTargets(input: types.MonitorsListTargetsInput, options?: CallOptions): PagedList<types.MonitorTarget>;
  /** Attach a target to a monitor. Scope: write. */
  attachTarget(input: types.MonitorsAttachTargetInput, options?: CallOptions): Promise<types.MonitorTarget>;
  /** Get a target of a monitor. Scope: read. */
  getTarget(input: types.MonitorsGetTargetInput, options?: CallOptions): Promise<types.MonitorTarget>;
  /** Change sample rate or state of a target. Scope: write. */
  updateTarget(input: types.MonitorsUpdateTargetInput, options?: CallOptions): Promise<types.MonitorTarget>;
  /** Detach a target from its monitor. Scope: write. */
  detachTarget(input: types.MonitorsDetachTargetInput, options?: CallOptions): Promise<types.Deleted>;
  /** Enable a target. Scope: write. */
  enableTarget(input: types.MonitorsEnableTargetInput, options?: CallOptions): Promise<types.MonitorTarget>;
  /** Disable a target; its traffic is no longer sampled. Scope: write. */
  disableTarget(input: types.MonitorsDisableTargetInput, options?: CallOptions): Promise<types.MonitorTarget>;
  /** List the active monitors that are attached to a target. Scope: read. */
  listByTarget(input: types.MonitorsListByTargetInput, options?: CallOptions): Promise<types.MonitorOfTarget[]>;
  /** Publish the draft of the monitor as a new immutable version. Scope: write. */
  publishVersion(input: types.MonitorsPublishVersionInput, options?: CallOptions): Promise<types.MonitorVersion>;
  /** List the published versions of the monitor, newest first. Scope: read. */
  listVersions(input: types.MonitorsListVersionsInput, options?: CallOptions): PagedList<types.MonitorVersion>;
  /** Compare two versions of the monitor. Scope: read. */
  diffVersions(input: types.MonitorsDiffVersionsInput, options?: CallOptions): Promise<types.VersionDiff>;
  /** Get one published version of the monitor. Scope: read. */
  getVersion(input: types.MonitorsGetVersionInput, options?: CallOptions): Promise<types.MonitorVersion>;
  /** Copy a published version onto the draft of the monitor. Scope: write. */
  restoreVersion(input: types.MonitorsRestoreVersionInput, options?: CallOptions): Promise<types.Monitor>;
  /** List the releases of the monitor. Scope: read. */
  listReleases(input: types.MonitorsListReleasesInput, options?: CallOptions): PagedList<types.Release>;
  /** Create a release of the monitor. Scope: write. */
  createRelease(input: types.MonitorsCreateReleaseInput, options?: CallOptions): Promise<types.Release>;
  /** Get a release of the monitor. Scope: read. */
  getRelease(input: types.MonitorsGetReleaseInput, options?: CallOptions): Promise<types.Release>;
  /** Move, rename or change a release of the monitor. Scope: write. */
  updateRelease(input: types.MonitorsUpdateReleaseInput, options?: CallOptions): Promise<types.Release>;
  /** Delete a release of the monitor. Scope: write. */
  deleteRelease(input: types.MonitorsDeleteReleaseInput, options?: CallOptions): Promise<types.Deleted>;
  /** Check the gate of a release of the monitor for a version without moving it. Scope: read. */
  checkRelease(input: types.MonitorsCheckReleaseInput, options?: CallOptions): Promise<types.GateResult>;
  /** List the moves of a release of the monitor, newest first. Scope: read. */
  listReleaseMoves(input: types.MonitorsListReleaseMovesInput, options?: CallOptions): PagedList<types.ReleaseMove>;
  /** List the runs of all monitors, without their output unless asked. Scope: read. */
  listAllRuns(input?: types.MonitorsListAllRunsInput, options?: CallOptions): PagedList<types.ListedMonitorRun>;
  /** List the runs that judged one source. Scope: read. */
  listRunsBySource(input: types.MonitorsListRunsBySourceInput, options?: CallOptions): PagedList<types.ListedMonitorRun>;
  /** Get a run of any monitor. Scope: read. */
  getAnyRun(input: types.MonitorsGetAnyRunInput, options?: CallOptions): Promise<types.MonitorRun>;
  /** List the runs of a monitor, without their output unless asked. Scope: read. */
  listRuns(input: types.MonitorsListRunsInput, options?: CallOptions): PagedList<types.ListedMonitorRun>;
  /** Get a run of a monitor. Scope: read. */
  getRun(input: types.MonitorsGetRunInput, options?: CallOptions): Promise<types.MonitorRun>;
  /** Judge the source of a run that ended as ERROR again, in its place. Scope: invoke. */
  retryRun(input: types.MonitorsRetryRunInput, options?: CallOptions): Promise<types.MonitorRun>;
  /** Judge a payload by a configuration without storing anything. Scope: invoke. */
  previewConfig(input: types.MonitorsPreviewConfigInput, options?: CallOptions): Promise<types.MonitorPreview>;
  /** Judge a payload by the draft, a version or a release of a monitor without storing anything. Scope: invoke. */
  preview(input: types.MonitorsPreviewInput, options?: CallOptions): Promise<types.MonitorPreview>;
  /** Get the newest production payload of a target. Scope: read. */
  sampleTarget(input: types.MonitorsSampleTargetInput, options?: CallOptions): Promise<types.TargetSample>;
  /** Get the runs of all monitors over time. Scope: read. */
  getCompanyActivity(input?: types.MonitorsGetCompanyActivityInput, options?: CallOptions): Promise<types.MonitorActivity>;
  /** Get the runs of a monitor over time, also by version with its shadow. Scope: read. */
  getActivity(input: types.MonitorsGetActivityInput, options?: CallOptions): Promise<types.MonitorActivity>;
  /** Get the rates of a monitor and of its targets. Scope: read. */
  getMetrics(input: types.MonitorsGetMetricsInput, options?: CallOptions): Promise<types.MonitorMetrics>;
  /** List the alerts of monitors. Scope: read. */
  listAlerts(input?: types.MonitorsListAlertsInput, options?: CallOptions): PagedList<types.MonitorAlert>;
  /** Note that a person looks after an open alert. Scope: write. */
  acknowledgeAlert(input: types.MonitorsAcknowledgeAlertInput, options?: CallOptions): Promise<types.MonitorAlert>;
  /** Resolve an alert; it opens again only for later runs. Scope: write. */
  resolveAlert(input: types.MonitorsResolveAlertInput, options?: CallOptions): Promise<types.MonitorAlert>;
  /** List the checks of a monitor, without their items. Scope: read. */
  listChecks(input: types.MonitorsListChecksInput, options?: CallOptions): PagedList<types.CheckRunSummary>;
  /** Judge the items of a test set by a version and compare the outcomes with the expected ones. Scope: invoke. */
  createCheck(input: types.MonitorsCreateCheckInput, options?: CallOptions): Promise<types.CheckRun>;
  /** Get a check with its items. Scope: read. */
  getCheck(input: types.MonitorsGetCheckInput, options?: CallOptions): Promise<types.CheckRun>;
}

export interface LegacyApi {
  /** List the test sets of a type. Scope: read. @deprecated */
  listTestSets(input?: types.LegacyListTestSetsInput, options?: CallOptions): PagedList<types.LegacyTestSet>;
  /** Create a test set for models. Scope: write. @deprecated */
  createTestSet(input: types.LegacyCreateTestSetInput, options?: CallOptions): Promise<types.LegacyTestSet>;
  /** Get a test set. Scope: read. @deprecated */
  getTestSet(input: types.LegacyGetTestSetInput, options?: CallOptions): Promise<types.LegacyTestSet>;
  /** Rename a test set or change its intent group. Scope: write. @deprecated */
  updateTestSet(input: types.LegacyUpdateTestSetInput, options?: CallOptions): Promise<types.LegacyTestSet>;
  /** Delete a test set. Scope: write. @deprecated */
  deleteTestSet(input: types.LegacyDeleteTestSetInput, options?: CallOptions): Promise<types.Deleted>;
  /** List the items of a test set that come from requests or workflows. Scope: read. @deprecated */
  listTestSetRequests(input: types.LegacyListTestSetRequestsInput, options?: CallOptions): PagedList<types.LegacyTestSetRequest>;
  /** Import recorded requests: all of them or none. Scope: write. @deprecated */
  addTestSetRequests(input: types.LegacyAddTestSetRequestsInput, options?: CallOptions): Promise<types.LegacyTestSetRequest[]>;
  /** Override the expected response of an item. Scope: write. @deprecated */
  setResponse(input: types.LegacySetResponseInput, options?: CallOptions): Promise<types.LegacySuccess>;
  /** List the test runs of a type. Scope: read. @deprecated */
  listTestRuns(input?: types.LegacyListTestRunsInput, options?: CallOptions): PagedList<types.LegacyTestRun>;
  /** Create, prepare and execute a test run, which scores itself. Scope: invoke. @deprecated */
  createTestRun(input: types.LegacyCreateTestRunInput, options?: CallOptions): Promise<types.LegacyTestRun>;
  /** Get a test run. Scope: read. @deprecated */
  getTestRun(input: types.LegacyGetTestRunInput, options?: CallOptions): Promise<types.LegacyTestRun>;
  /** Delete a test run with its items. Scope: write. @deprecated */
  deleteTestRun(input: types.LegacyDeleteTestRunInput, options?: CallOptions): Promise<types.Deleted>;
  /** List the items of a test run. Scope: read. @deprecated */
  listRunItems(input: types.LegacyListRunItemsInput, options?: CallOptions): PagedList<types.LegacyRunItem>;
  /** Score the items of a test run. Scope: invoke. @deprecated */
  scoreTestRun(input: types.LegacyScoreTestRunInput, options?: CallOptions): Promise<types.ScoreSummary>;
  /** Compare 2 to 10 runs over the same set. Scope: read. @deprecated */
  compareTestRuns(input: types.LegacyCompareTestRunsInput, options?: CallOptions): Promise<types.RunComparison>;
}

export interface WorkflowsApi {
  /** List the workflows, without their scripts. Scope: read. */
  list(input?: types.WorkflowsListInput, options?: CallOptions): PagedList<types.WorkflowSummary>;
  /** Create a workflow. Scope: write. */
  create(input: types.WorkflowsCreateInput, options?: CallOptions): Promise<types.Workflow>;
  /** Get a workflow, with its script when asked for. Scope: read. */
  get(input: types.WorkflowsGetInput, options?: CallOptions): Promise<types.Workflow>;
  /** Get a workflow by its reference name. Scope: read. */
  getByRef(input: types.WorkflowsGetByRefInput, options?: CallOptions): Promise<types.Workflow>;
  /** Change the draft of a workflow; a script that is sent is uploaded again. Scope: write. */
  update(input: types.WorkflowsUpdateInput, options?: CallOptions): Promise<types.Workflow>;
  /** Delete a workflow. Scope: write. */
  delete(input: types.WorkflowsDeleteInput, options?: CallOptions): Promise<types.Deleted>;
  /** Enable a workflow. Scope: write. */
  enable(input: types.WorkflowsEnableInput, options?: CallOptions): Promise<types.Workflow>;
  /** Disable a workflow; it can no longer be executed. Scope: write. */
  disable(input: types.WorkflowsDisableInput, options?: CallOptions): Promise<types.Workflow>;
  /** Compile a script and check schemas; nothing is run and nothing is stored. Scope: read. */
  validateScript(input: types.WorkflowsValidateScriptInput, options?: CallOptions): Promise<types.ScriptValidation>;
  /** Get a script to begin with. Scope: read. */
  getDefaultScript(input?: types.WorkflowsGetDefaultScriptInput, options?: CallOptions): Promise<types.DefaultScript>;
  /** List the languages of scripts and whether this installation runs them. Scope: read. */
  listLanguages(input?: Record<string, never>, options?: CallOptions): Promise<types.LanguageSupport[]>;
  /** Publish the draft of the workflow as a new immutable version. Scope: write. */
  publishVersion(input: types.WorkflowsPublishVersionInput, options?: CallOptions): Promise<types.WorkflowVersion>;
  /** List the published versions of the workflow, newest first. Scope: read. */
  listVersions(input: types.WorkflowsListVersionsInput, options?: CallOptions): PagedList<types.WorkflowVersion>;
  /** Compare two versions of the workflow. Scope: read. */
  diffVersions(input: types.WorkflowsDiffVersionsInput, options?: CallOptions): Promise<types.VersionDiff>;
  /** Get one published version of the workflow. Scope: read. */
  getVersion(input: types.WorkflowsGetVersionInput, options?: CallOptions): Promise<types.WorkflowVersion>;
  /** Copy a published version onto the draft of the workflow. Scope: write. */
  restoreVersion(input: types.WorkflowsRestoreVersionInput, options?: CallOptions): Promise<types.Workflow>;
  /** List the releases of the workflow. Scope: read. */
  listReleases(input: types.WorkflowsListReleasesInput, options?: CallOptions): PagedList<types.Release>;
  /** Create a release of the workflow. Scope: write. */
  createRelease(input: types.WorkflowsCreateReleaseInput, options?: CallOptions): Promise<types.Release>;
  /** Get a release of the workflow. Scope: read. */
  getRelease(input: types.WorkflowsGetReleaseInput, options?: CallOptions): Promise<types.Release>;
  /** Move, rename or change a release of the workflow. Scope: write. */
  updateRelease(input: types.WorkflowsUpdateReleaseInput, options?: CallOptions): Promise<types.Release>;
  /** Delete a release of the workflow. Scope: write. */
  deleteRelease(input: types.WorkflowsDeleteReleaseInput, options?: CallOptions): Promise<types.Deleted>;
  /** Check the gate of a release of the workflow for a version without moving it. Scope: read. */
  checkRelease(input: types.WorkflowsCheckReleaseInput, options?: CallOptions): Promise<types.GateResult>;
  /** List the moves of a release of the workflow, newest first. Scope: read. */
  listReleaseMoves(input: types.WorkflowsListReleaseMovesInput, options?: CallOptions): PagedList<types.ReleaseMove>;
  /** Create or update a workflow by its reference name, with its artifacts and a version, all or nothing. Scope: write. */
  upload(input: types.WorkflowsUploadInput, options?: CallOptions): Promise<types.UploadedWorkflow>;
  /** Create or update workflows from a manifest, all or none. Scope: write. */
  import(input: types.WorkflowsImportInput, options?: CallOptions): Promise<types.WorkflowImport>;
  /** Get a workflow with its script as an importable manifest, without its artifacts. Scope: read. */
  export(input: types.WorkflowsExportInput, options?: CallOptions): Promise<types.WorkflowManifest>;
  /** Run a workflow; sync waits for its end, async returns the id of the run, stream sends its events. Scope: invoke. */
  execute(input: types.WorkflowsExecuteInput & { mode: "stream" }, options?: StreamOptions): EventStream<types.RunStreamEvent>;
  execute(input: types.WorkflowsExecuteInput, options?: CallOptions): Promise<types.Execution>;
  /** List the runs of a workflow, without their bodies unless asked. Scope: read. */
  listRuns(input: types.WorkflowsListRunsInput, options?: CallOptions): PagedList<types.ListedWorkflowRun>;
  /** Search the runs of a workflow. Scope: read. */
  searchRuns(input: types.WorkflowsSearchRunsInput, options?: CallOptions): PagedList<types.ListedWorkflowRun>;
  /** List the runs of all workflows, without their bodies unless asked. Scope: read. */
  listAllRuns(input?: types.WorkflowsListAllRunsInput, options?: CallOptions): PagedList<types.ListedWorkflowRun>;
  /** Get a run, waiting up to 30 s for its end. Scope: read. */
  getRun(input: types.WorkflowsGetRunInput, options?: CallOptions): Promise<types.WorkflowRun>;
  /** List what the script of a run has logged, oldest first. Scope: read. */
  listRunLogs(input: types.WorkflowsListRunLogsInput, options?: CallOptions): PagedList<types.RunLogEntry>;
  /** List what happened in a run, oldest first. Scope: read. */
  listRunTimeline(input: types.WorkflowsListRunTimelineInput, options?: CallOptions): PagedList<types.RunTimelineEvent>;
  /** Follow a run as server-sent events. Scope: read. */
  streamRun(input: types.WorkflowsStreamRunInput, options?: StreamOptions): EventStream<types.RunStreamEvent>;
  /** Cancel a run that has not ended, with its nested runs. Scope: invoke. */
  cancelRun(input: types.WorkflowsCancelRunInput, options?: CallOptions): Promise<types.WorkflowRun>;
  /** Run a workflow again on the input of an earlier run. Scope: invoke. */
  rerunRun(input: types.WorkflowsRerunRunInput, options?: CallOptions): Promise<types.AcceptedRun>;
  /** Run transform_session on a given session, or on one of chat completions; nothing is stored. Scope: invoke. */
  previewTransform(input: types.WorkflowsPreviewTransformInput, options?: CallOptions): Promise<types.TransformResult>;
  /** List the artifacts of a workflow, or those that one of its runs has written. Scope: read. */
  listArtifacts(input: types.WorkflowsListArtifactsInput, options?: CallOptions): PagedList<types.Artifact>;
  /** Store an artifact of at most 50 MiB; one of the same key is replaced. Scope: write. */
  putArtifact(input: types.WorkflowsPutArtifactInput, options?: CallOptions): Promise<types.Artifact>;
  /** Get an artifact without its content. Scope: read. */
  getArtifact(input: types.WorkflowsGetArtifactInput, options?: CallOptions): Promise<types.Artifact>;
  /** Delete an artifact. Scope: write. */
  deleteArtifact(input: types.WorkflowsDeleteArtifactInput, options?: CallOptions): Promise<types.Deleted>;
  /** Get the content of an artifact as an attachment. Scope: read. */
  getArtifactContent(input: types.WorkflowsGetArtifactContentInput, options?: CallOptions): Promise<Download>;
  /** List the artifacts that a run has written. Scope: read. */
  listRunArtifacts(input: types.WorkflowsListRunArtifactsInput, options?: CallOptions): PagedList<types.Artifact>;
}

export interface TestRunsApi {
  /** Create a run of a test set against a model, a workflow or an agent. Scope: write. */
  create(input: types.TestRunsCreateInput, options?: CallOptions): Promise<types.TestRun>;
  /** List test runs. Scope: read. */
  list(input?: types.TestRunsListInput, options?: CallOptions): PagedList<types.TestRun>;
  /** List the runs of a test set. Scope: read. */
  listRunsOfTestSet(input: types.TestRunsListRunsOfTestSetInput, options?: CallOptions): PagedList<types.TestRun>;
  /** Get a test run. Scope: read. */
  get(input: types.TestRunsGetInput, options?: CallOptions): Promise<types.TestRun>;
  /** Change name, description or meta of a test run. Scope: write. */
  update(input: types.TestRunsUpdateInput, options?: CallOptions): Promise<types.TestRun>;
  /** Delete a test run with its items. Scope: write. */
  delete(input: types.TestRunsDeleteInput, options?: CallOptions): Promise<types.Deleted>;
  /** Adapt the items of the set to the consumer of the run. Scope: write. */
  prepare(input: types.TestRunsPrepareInput, options?: CallOptions): Promise<types.PreparedTestRun>;
  /** Execute a prepared run; returns at once. Scope: invoke. */
  execute(input: types.TestRunsExecuteInput, options?: CallOptions): Promise<types.TestRun>;
  /** Get counts and duration percentiles of a run. Scope: read. */
  getProgress(input: types.TestRunsGetProgressInput, options?: CallOptions): Promise<types.RunProgress>;
  /** Follow the progress of a run as server-sent events. Scope: read. */
  stream(input: types.TestRunsStreamInput, options?: StreamOptions): EventStream<types.TestRunStreamEvent>;
  /** Score the items of a run; what takes longer than two seconds continues after the reply, and a repeat continues it. Scope: invoke. */
  score(input: types.TestRunsScoreInput, options?: CallOptions): Promise<types.ScoreSummary>;
  /** Cancel a running run: its open items end as cancelled, with what they have started. Scope: invoke. */
  cancel(input: types.TestRunsCancelInput, options?: CallOptions): Promise<types.TestRun>;
  /** Execute the failed items of a completed run again. Scope: invoke. */
  resetFailed(input: types.TestRunsResetFailedInput, options?: CallOptions): Promise<types.ResetTestRun>;
  /** List the items of a run. Scope: read. */
  listRunItems(input: types.TestRunsListRunItemsInput, options?: CallOptions): PagedList<types.RunItemSummary>;
  /** Get an item of a run. Scope: read. */
  getRunItem(input: types.TestRunsGetRunItemInput, options?: CallOptions): Promise<types.RunItem>;
  /** List the scores of an item, newest first. Scope: read. */
  listItemScores(input: types.TestRunsListItemScoresInput, options?: CallOptions): PagedList<types.ItemScore>;
  /** List the executions of an item, newest first. Scope: read. */
  listItemAttempts(input: types.TestRunsListItemAttemptsInput, options?: CallOptions): PagedList<types.RunItemAttempt>;
  /** Compare 2 to 10 runs over the same set. Scope: read. */
  compare(input: types.TestRunsCompareInput, options?: CallOptions): Promise<types.RunComparison>;
  /** Show what an item becomes for a consumer; stores nothing. Scope: read. */
  previewAdaptedInput(input: types.TestRunsPreviewAdaptedInputInput, options?: CallOptions): Promise<types.AdaptedInputPreview>;
  /** Create, prepare, execute and score a run in one call, and wait for its scores, its gate and its comparison. Scope: invoke. */
  runTestSet(input: types.TestRunsRunTestSetInput, options?: CallOptions): Promise<types.EvaluatedRun>;
  /** Export the items of a run as JSONL, as CSV, whose formulas begin with an apostrophe, or as a JUnit report for a pipeline. Scope: read. */
  export(input: types.TestRunsExportInput, options?: CallOptions): Promise<Download>;
}

export interface DatasetsApi {
  /** List the datasets. Scope: read. */
  list(input?: types.DatasetsListInput, options?: CallOptions): PagedList<types.Dataset>;
  /** Create a dataset. Scope: write. */
  create(input: types.DatasetsCreateInput, options?: CallOptions): Promise<types.Dataset>;
  /** Get a dataset. Scope: read. */
  get(input: types.DatasetsGetInput, options?: CallOptions): Promise<types.Dataset>;
  /** Change a dataset. Scope: write. */
  update(input: types.DatasetsUpdateInput, options?: CallOptions): Promise<types.Dataset>;
  /** Delete a dataset that no composition contains. Scope: write. */
  delete(input: types.DatasetsDeleteInput, options?: CallOptions): Promise<types.Deleted>;
  /** Archive a dataset: it is read-only until it is unarchived. Scope: write. */
  archive(input: types.DatasetsArchiveInput, options?: CallOptions): Promise<types.Dataset>;
  /** Make an archived dataset changeable again. Scope: write. */
  unarchive(input: types.DatasetsUnarchiveInput, options?: CallOptions): Promise<types.Dataset>;
  /** Add recorded requests by id, or rows of your own. Scope: write. */
  addRequests(input: types.DatasetsAddRequestsInput, options?: CallOptions): Promise<types.AddedRequests>;
  /** Add the newest recorded requests that a filter selects. Scope: write. */
  addRequestsByFilter(input: types.DatasetsAddRequestsByFilterInput, options?: CallOptions): Promise<types.AddedByFilter>;
  /** Search the rows of a dataset. Scope: read. */
  searchAddedRequests(input: types.DatasetsSearchAddedRequestsInput, options?: CallOptions): PagedList<types.ListedDatasetRequest>;
  /** Search the recorded requests that a dataset does not contain yet. Scope: read. */
  searchAvailableRequests(input: types.DatasetsSearchAvailableRequestsInput, options?: CallOptions): PagedList<types.RecordedRequest>;
  /** Get a row of a dataset. Scope: read. */
  getRequest(input: types.DatasetsGetRequestInput, options?: CallOptions): Promise<types.DatasetRequest>;
  /** Change a row of a dataset; the recorded request stays as it is. Scope: write. */
  updateRequest(input: types.DatasetsUpdateRequestInput, options?: CallOptions): Promise<types.DatasetRequest>;
  /** Delete a row of a dataset. Scope: write. */
  deleteRequest(input: types.DatasetsDeleteRequestInput, options?: CallOptions): Promise<types.Deleted>;
  /** Add the rows of a JSONL file, at most 100 MiB and 50,000 rows; bad rows are named by their line. Scope: write. */
  uploadRows(input: types.DatasetsUploadRowsInput, options?: CallOptions): Promise<types.UploadedRows>;
  /** Export the rows of a dataset as JSONL in the format of OpenAI's fine-tuning. Scope: read. */
  export(input: types.DatasetsExportInput, options?: CallOptions): Promise<Download>;
  /** List the augmentations of a dataset. Scope: read. */
  listAugmentations(input: types.DatasetsListAugmentationsInput, options?: CallOptions): PagedList<types.Augmentation>;
  /** Let a model write the reasoning of each row, or variations of its question. Scope: invoke. */
  createAugmentation(input: types.DatasetsCreateAugmentationInput, options?: CallOptions): Promise<types.Augmentation>;
  /** Get an augmentation. Scope: read. */
  getAugmentation(input: types.DatasetsGetAugmentationInput, options?: CallOptions): Promise<types.Augmentation>;
}

export interface CompositionsApi {
  /** List the compositions. Scope: read. */
  list(input?: types.CompositionsListInput, options?: CallOptions): PagedList<types.Composition>;
  /** Create a composition. Scope: write. */
  create(input: types.CompositionsCreateInput, options?: CallOptions): Promise<types.Composition>;
  /** Get a composition. Scope: read. */
  get(input: types.CompositionsGetInput, options?: CallOptions): Promise<types.Composition>;
  /** Change a composition that no unfinished finetune run uses. Scope: write. */
  update(input: types.CompositionsUpdateInput, options?: CallOptions): Promise<types.Composition>;
  /** Delete a composition that no unfinished finetune run uses. Scope: write. */
  delete(input: types.CompositionsDeleteInput, options?: CallOptions): Promise<types.Deleted>;
  /** Add a dataset to a composition. Scope: write. */
  addDataset(input: types.CompositionsAddDatasetInput, options?: CallOptions): Promise<types.Composition>;
  /** Change the share of a dataset in a composition. Scope: write. */
  updateDataset(input: types.CompositionsUpdateDatasetInput, options?: CallOptions): Promise<types.Composition>;
  /** Remove a dataset from a composition. Scope: write. */
  removeDataset(input: types.CompositionsRemoveDatasetInput, options?: CallOptions): Promise<types.Composition>;
  /** Show what a composition consists of, with samples. Scope: read. */
  preview(input: types.CompositionsPreviewInput, options?: CallOptions): Promise<types.CompositionPreview>;
  /** Export the rows of a composition as JSONL in the format of OpenAI's fine-tuning. Scope: read. */
  export(input: types.CompositionsExportInput, options?: CallOptions): Promise<Download>;
}

export interface FinetuneRunsApi {
  /** List the finetune runs. Scope: read. */
  list(input?: types.FinetuneRunsListInput, options?: CallOptions): PagedList<types.FinetuneRun>;
  /** Train a model with the rows that a composition has now. Scope: invoke. */
  create(input: types.FinetuneRunsCreateInput, options?: CallOptions): Promise<types.FinetuneRun>;
  /** Get a finetune run. Scope: read. */
  get(input: types.FinetuneRunsGetInput, options?: CallOptions): Promise<types.FinetuneRun>;
  /** Delete a finetune run that has ended; its model stays. Scope: write. */
  delete(input: types.FinetuneRunsDeleteInput, options?: CallOptions): Promise<types.Deleted>;
  /** List what happened in a finetune run, oldest first. Scope: read. */
  listFinetuneEvents(input: types.FinetuneRunsListFinetuneEventsInput, options?: CallOptions): PagedList<types.FinetuneEvent>;
  /** List the losses of the steps of a finetune run, oldest first. Scope: read. */
  listFinetuneMetrics(input: types.FinetuneRunsListFinetuneMetricsInput, options?: CallOptions): PagedList<types.FinetuneMetric>;
  /** List the models that a finetune run has kept on its way, oldest first. Scope: read. */
  listFinetuneCheckpoints(input: types.FinetuneRunsListFinetuneCheckpointsInput, options?: CallOptions): PagedList<types.FinetuneCheckpoint>;
  /** Cancel a finetune run, and its job at the provider. Scope: invoke. */
  cancel(input: types.FinetuneRunsCancelInput, options?: CallOptions): Promise<types.FinetuneRun>;
}

/** Every family by its name. */
export interface Families {
  company: CompanyApi;
  apiKeys: ApiKeysApi;
  auditLog: AuditLogApi;
  webhooks: WebhooksApi;
  portalSessions: PortalSessionsApi;
  applications: ApplicationsApi;
  intents: IntentsApi;
  intentGroups: IntentGroupsApi;
  models: ModelsApi;
  chat: ChatApi;
  requests: RequestsApi;
  sessions: SessionsApi;
  tags: TagsApi;
  sentinels: SentinelsApi;
  evaluations: EvaluationsApi;
  reports: ReportsApi;
  search: SearchApi;
  analytics: AnalyticsApi;
  agents: AgentsApi;
  releases: ReleasesApi;
  mcpServers: McpServersApi;
  evaluationCriteria: EvaluationCriteriaApi;
  testSets: TestSetsApi;
  monitors: MonitorsApi;
  legacy: LegacyApi;
  workflows: WorkflowsApi;
  testRuns: TestRunsApi;
  datasets: DatasetsApi;
  compositions: CompositionsApi;
  finetuneRuns: FinetuneRunsApi;
}
