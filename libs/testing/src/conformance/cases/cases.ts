import { agentSessions, chatSessions, requests } from '@signalbox/contracts';
import { AGENT_PART_CASES } from './agent-part-cases.js';
import type { Case } from './case.js';
import { APPLICATION_CASES } from './application-cases.js';
import { EVALUATION_CASES } from './evaluation-cases.js';
import { TAG_CASES } from './tag-cases.js';
import type { ConformanceFixtures } from '../fixtures.js';
import { TEST_RUN_CASES } from './test-run-cases.js';
import { TEST_SET_CASES } from './test-set-cases.js';
import { MCP_SERVER_CASES } from './mcp-server-cases.js';
import { MONITOR_CASES } from './monitor-cases.js';
import { TRAINING_CASES } from './training-cases.js';
import { WEBHOOK_CASES } from './webhook-cases.js';
import { WORKFLOW_CASES } from './workflow-cases.js';

const nothing: Case = () => ({});
const agentId = async (fixtures: ConformanceFixtures) => ({ agent_id: await fixtures.idOf(fixtures.agent()) });
const newAgentId = async (fixtures: ConformanceFixtures) => ({ agent_id: await fixtures.idOf(fixtures.newAgent()) });
const actionId = async (fixtures: ConformanceFixtures) => ({ action_id: await fixtures.idOf(fixtures.action()) });
const modelId = async (fixtures: ConformanceFixtures) => ({ model_id: await fixtures.idOf(fixtures.model()) });
const providerId = async (fixtures: ConformanceFixtures) => ({ provider_id: await fixtures.idOf(fixtures.provider()) });
const applicationId = async (fixtures: ConformanceFixtures) => ({
  application_id: await fixtures.idOf(fixtures.application()),
});
const keyId = async (fixtures: ConformanceFixtures) => ({ api_key_id: await fixtures.idOf(fixtures.apiKey()) });
const newKeyId = async (fixtures: ConformanceFixtures) => ({
  api_key_id: await fixtures.idOf(fixtures.newApiKey(['read'])),
});
const version = async (fixtures: ConformanceFixtures) => ({
  ...(await agentId(fixtures)),
  version: (await fixtures.version()).version,
});
const release = async (fixtures: ConformanceFixtures) => ({
  ...(await agentId(fixtures)),
  release_name: (await fixtures.release()).name,
});
const task = async (fixtures: ConformanceFixtures) => ({
  ...(await agentId(fixtures)),
  task_id: (await fixtures.task()).task_id,
});
const session = async (fixtures: ConformanceFixtures) => ({
  ...(await agentId(fixtures)),
  session_id: (await fixtures.task()).session_id,
});
const newSession = async (fixtures: ConformanceFixtures) => ({
  ...(await agentId(fixtures)),
  session_id: (await fixtures.newTask(true)).session_id,
});

const requestId = async (fixtures: ConformanceFixtures) => ({ request_id: (await fixtures.request()).request_id });
const newRequestId = async (fixtures: ConformanceFixtures) => ({
  request_id: (await fixtures.newRequest()).request_id,
});
const chatSession = async (fixtures: ConformanceFixtures) => ({ session_id: (await fixtures.request()).session_id });
const newChatSession = async (fixtures: ConformanceFixtures) => ({
  session_id: (await fixtures.newRequest()).session_id,
});
const hello = () => ({ messages: [{ role: 'user', content: 'hello' }] });
const corrected = { choices: [{ message: { role: 'assistant', content: 'better' } }] };

async function afterCorrection(fixtures: ConformanceFixtures): Promise<Record<string, unknown>> {
  const input = await newRequestId(fixtures);
  await fixtures.call(requests.endpoints.correctRequest, { ...input, ...corrected });
  return input;
}

async function afterFeedback(fixtures: ConformanceFixtures): Promise<Record<string, unknown>> {
  const input = await newChatSession(fixtures);
  await fixtures.call(chatSessions.endpoints.giveSessionFeedback, { ...input, feedback_score: 5 });
  return input;
}

async function afterPublishing(fixtures: ConformanceFixtures): Promise<Record<string, unknown>> {
  await fixtures.version();
  return agentId(fixtures);
}

async function withFeedback(
  fixtures: ConformanceFixtures,
  input: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  await fixtures.call(agentSessions.endpoints.setAgentSessionFeedback, { ...input, feedback_score: 5 });
  return input;
}

export const CASES: Readonly<Record<string, Case>> = {
  ...AGENT_PART_CASES,
  ...APPLICATION_CASES,
  ...TAG_CASES,
  ...EVALUATION_CASES,
  ...TEST_RUN_CASES,
  ...TEST_SET_CASES,
  ...MCP_SERVER_CASES,
  ...MONITOR_CASES,
  ...TRAINING_CASES,
  ...WEBHOOK_CASES,
  ...WORKFLOW_CASES,
  'companies.getCompany': nothing,
  'companies.updateCompany': (fixtures) => ({
    name: fixtures.fresh('Acme'),
    settings: { retention_days: { tasks: 30 } },
  }),
  'portal-sessions.listPortalSessions': () => ({ limit: 2 }),
  'portal-sessions.endPortalSession': async (fixtures) => ({
    portal_session_id: await fixtures.idOf(fixtures.newPortalSession()),
  }),
  'api-keys.listApiKeys': () => ({ limit: 2, revoked: false }),
  'api-keys.createApiKey': (fixtures) => ({ name: fixtures.fresh('key'), scopes: ['read'] }),
  'api-keys.getCurrentApiKey': nothing,
  'api-keys.getApiKey': keyId,
  'api-keys.updateApiKey': async (fixtures) => ({ ...(await keyId(fixtures)), name: fixtures.fresh('key') }),
  'api-keys.deleteApiKey': newKeyId,
  'api-keys.revokeApiKey': newKeyId,
  'api-keys.rotateApiKey': async (fixtures) => ({ ...(await newKeyId(fixtures)), grace_seconds: 1 }),
  'audit-log.listAuditEntries': () => ({ limit: 3, action: ['create', 'update'] }),
  'models.listModels': async (fixtures) => ({ ...(await providerId(fixtures)), trainable: false }),
  'models.listAvailableModels': () => ({ limit: 2 }),
  'models.createModel': async (fixtures) => ({ model_name: fixtures.fresh('model'), ...(await providerId(fixtures)) }),
  'models.getModel': modelId,
  'models.updateModel': async (fixtures) => ({ ...(await modelId(fixtures)), display_name: 'Changed' }),
  'models.deleteModel': async (fixtures) => ({ model_id: await fixtures.idOf(fixtures.newModel()) }),
  'models.enableModel': modelId,
  'models.disableModel': async (fixtures) => ({ model_id: await fixtures.idOf(fixtures.newModel()) }),
  'models.getModelUsage': modelId,
  'completions.createCompletion': hello,
  'completions.storeCompletion': () => ({
    chat_completion_request: hello(),
    chat_completion_response: corrected,
  }),
  'completions.storeCompletions': () => ({
    items: [{ chat_completion_request: hello(), chat_completion_response: corrected }],
  }),
  'requests.listRequests': () => ({ status: 'COMPLETED', include_body: true }),
  'requests.searchRequests': () => ({ text: 'hello' }),
  'requests.getRequest': requestId,
  'requests.deleteRequest': newRequestId,
  'requests.getRequestResponse': requestId,
  'requests.correctRequest': async (fixtures) => ({ ...(await requestId(fixtures)), ...corrected }),
  'requests.removeCorrection': afterCorrection,
  'requests.rerunRequest': requestId,
  'requests.listRequestEvaluations': requestId,
  'find.findResources': () => ({ q: 'he', types: ['agent', 'tag'] }),
  'search.searchDocuments': () => ({ q: 'create an agent', surface: 'api' }),
  'search.searchDocumentsByBody': () => ({ query: 'create an agent', limit: 2 }),
  'search.askForHelp': () => ({ question: 'How do I create an agent?', context: { language: 'python' } }),
  'analytics.getRequestVolume': () => ({ group_by: 'application', bucket: 'week' }),
  'analytics.getFaultRate': () => ({ group_by: 'intent' }),
  'analytics.getLatency': () => ({ group_by: 'model', bucket: 'hour' }),
  'analytics.getUsage': () => ({ request_type: 'PROD' }),
  'analytics.getSummary': () => ({ start_date: 0 }),
  'chat-sessions.listSessions': () => ({ has_feedback: false }),
  'chat-sessions.searchSessions': () => ({ text: 'hello', metadata: {} }),
  'chat-sessions.getSession': chatSession,
  'chat-sessions.updateSession': async (fixtures) => ({ ...(await chatSession(fixtures)), metadata: { plan: 'free' } }),
  'chat-sessions.deleteSession': newChatSession,
  'chat-sessions.listSessionRequests': chatSession,
  'chat-sessions.listSessionTimeline': chatSession,
  'chat-sessions.getSessionFeedback': afterFeedback,
  'chat-sessions.giveSessionFeedback': async (fixtures) => ({ ...(await chatSession(fixtures)), feedback_score: 4 }),
  'chat-sessions.deleteSessionFeedback': afterFeedback,
  'providers.listProviders': nothing,
  'providers.createProvider': (fixtures) => ({ provider_name: fixtures.fresh('sim'), kind: 'simulated' }),
  'providers.getProvider': providerId,
  'providers.updateProvider': async (fixtures) => ({ ...(await providerId(fixtures)), timeout_ms: 5000 }),
  'providers.deleteProvider': async (fixtures) => ({ provider_id: await fixtures.idOf(fixtures.newProvider()) }),
  'providers.testProvider': providerId,
  'agents.listAgents': applicationId,
  'agents.createAgent': async (fixtures) => ({
    ...(await applicationId(fixtures)),
    agent_name: fixtures.fresh('Helper'),
  }),
  'agents.getAgent': agentId,
  'agents.updateAgent': async (fixtures) => ({ ...(await agentId(fixtures)), description: 'changed' }),
  'agents.deleteAgent': newAgentId,
  'agents.enableAgent': agentId,
  'agents.disableAgent': newAgentId,
  'agent-actions.listActions': agentId,
  'agent-actions.createAction': async (fixtures) => ({ ...(await agentId(fixtures)), ...fixtures.actionBody() }),
  'agent-actions.getAction': actionId,
  'agent-actions.updateAction': async (fixtures) => ({ ...(await actionId(fixtures)), description: 'changed' }),
  'agent-actions.deleteAction': async (fixtures) => ({ action_id: await fixtures.idOf(fixtures.newAction()) }),
  'agent-actions.enableAction': actionId,
  'agent-actions.disableAction': async (fixtures) => ({ action_id: await fixtures.idOf(fixtures.newAction()) }),
  'agent-actions.testAction': async (fixtures) => ({ ...(await actionId(fixtures)), arguments: {} }),
  'agent-versions.publishVersion': async (fixtures) => {
    await fixtures.newVersion();
    return { ...(await agentId(fixtures)), increment: 'patch' };
  },
  'agent-versions.listVersions': afterPublishing,
  'agent-versions.diffVersions': async (fixtures) => ({
    ...(await agentId(fixtures)),
    from: (await fixtures.version()).version,
  }),
  'agent-versions.getVersion': version,
  'agent-versions.restoreVersion': version,
  'agent-versions.listReleases': agentId,
  'agent-versions.createRelease': async (fixtures) => ({
    ...(await version(fixtures)),
    name: fixtures.fresh('release'),
  }),
  'agent-versions.getRelease': release,
  'agent-versions.updateRelease': async (fixtures) => ({ ...(await release(fixtures)), version: 'latest' }),
  'agent-versions.deleteRelease': async (fixtures) => ({
    ...(await agentId(fixtures)),
    release_name: (await fixtures.newRelease()).name,
  }),
  'agent-versions.checkRelease': async (fixtures) => ({ ...(await release(fixtures)), version: 'latest' }),
  'agent-versions.listReleaseMoves': release,
  'releases.listAllReleases': () => ({ parent_type: ['agent', 'monitor'] }),
  'agent-tasks.invokeAgent': async (fixtures) => ({ ...(await agentId(fixtures)), message: 'hello', wait: false }),
  'agent-tasks.listTasks': async (fixtures) => ({ ...(await agentId(fixtures)), status: ['COMPLETED', 'FAILED'] }),
  'agent-tasks.listAllTasks': () => ({ status: ['COMPLETED', 'FAILED'], include_body: true, sort: '-duration_ms' }),
  'agent-tasks.getAnyTask': async (fixtures) => ({ task_id: (await fixtures.task()).task_id }),
  'agent-tasks.getTask': task,
  'agent-tasks.listTaskTimeline': task,
  'agent-tasks.streamTask': task,
  'agent-tasks.cancelTask': async (fixtures) => {
    const { agent_id, task_id } = await fixtures.newWaitingTask();
    return { agent_id, task_id };
  },
  'agent-hooks.answerHook': async (fixtures) => ({ hook_key: await fixtures.newHookKey(), payload: { done: true } }),
  'agent-sessions.listAgentSessions': agentId,
  'agent-sessions.getAgentSession': session,
  'agent-sessions.deleteAgentSession': newSession,
  'agent-sessions.listAgentSessionTimeline': session,
  'agent-sessions.listAgentSessionTasks': session,
  'agent-sessions.getAgentSessionFeedback': async (fixtures) => withFeedback(fixtures, await session(fixtures)),
  'agent-sessions.setAgentSessionFeedback': async (fixtures) => ({ ...(await session(fixtures)), feedback_score: 4 }),
  'agent-sessions.deleteAgentSessionFeedback': async (fixtures) => withFeedback(fixtures, await newSession(fixtures)),
};
