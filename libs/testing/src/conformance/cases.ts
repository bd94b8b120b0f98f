import { agentSessions, chatSessions, requests } from '@signalbox/contracts';
import { AGENT_PART_CASES } from './agent-part-cases.js';
import type { Case } from './case.js';
import { PLACE_CASES } from './place-cases.js';
import type { ConformanceFixtures } from './world.js';

const nothing: Case = () => ({});
const agentId = async (world: ConformanceFixtures) => ({ agent_id: await world.idOf(world.agent()) });
const newAgentId = async (world: ConformanceFixtures) => ({ agent_id: await world.idOf(world.newAgent()) });
const actionId = async (world: ConformanceFixtures) => ({ action_id: await world.idOf(world.action()) });
const modelId = async (world: ConformanceFixtures) => ({ model_id: await world.idOf(world.model()) });
const providerId = async (world: ConformanceFixtures) => ({ provider_id: await world.idOf(world.provider()) });
const applicationId = async (world: ConformanceFixtures) => ({ application_id: await world.idOf(world.application()) });
const keyId = async (world: ConformanceFixtures) => ({ api_key_id: await world.idOf(world.apiKey()) });
const newKeyId = async (world: ConformanceFixtures) => ({ api_key_id: await world.idOf(world.newApiKey(['read'])) });
const version = async (world: ConformanceFixtures) => ({
  ...(await agentId(world)),
  version: (await world.version()).version,
});
const release = async (world: ConformanceFixtures) => ({
  ...(await agentId(world)),
  release_name: (await world.release()).name,
});
const task = async (world: ConformanceFixtures) => ({
  ...(await agentId(world)),
  task_id: (await world.task()).task_id,
});
const session = async (world: ConformanceFixtures) => ({
  ...(await agentId(world)),
  session_id: (await world.task()).session_id,
});
const newSession = async (world: ConformanceFixtures) => ({
  ...(await agentId(world)),
  session_id: (await world.newTask(true)).session_id,
});

const requestId = async (world: ConformanceFixtures) => ({ request_id: (await world.request()).request_id });
const newRequestId = async (world: ConformanceFixtures) => ({ request_id: (await world.newRequest()).request_id });
const chatSession = async (world: ConformanceFixtures) => ({ session_id: (await world.request()).session_id });
const newChatSession = async (world: ConformanceFixtures) => ({ session_id: (await world.newRequest()).session_id });
const hello = () => ({ messages: [{ role: 'user', content: 'hello' }] });
const corrected = { choices: [{ message: { role: 'assistant', content: 'better' } }] };

async function afterCorrection(world: ConformanceFixtures): Promise<Record<string, unknown>> {
  const input = await newRequestId(world);
  await world.call(requests.endpoints.correctRequest, { ...input, ...corrected });
  return input;
}

async function afterFeedback(world: ConformanceFixtures): Promise<Record<string, unknown>> {
  const input = await newChatSession(world);
  await world.call(chatSessions.endpoints.giveSessionFeedback, { ...input, feedback_score: 5 });
  return input;
}

async function afterPublishing(world: ConformanceFixtures): Promise<Record<string, unknown>> {
  await world.version();
  return agentId(world);
}

async function withFeedback(
  world: ConformanceFixtures,
  input: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  await world.call(agentSessions.endpoints.setAgentSessionFeedback, { ...input, feedback_score: 5 });
  return input;
}

/** One valid input for every public endpoint, by `contract.endpoint`. */
export const CASES: Readonly<Record<string, Case>> = {
  ...AGENT_PART_CASES,
  ...PLACE_CASES,
  'companies.getCompany': nothing,
  'companies.updateCompany': (world) => ({ name: world.fresh('Acme'), settings: { retention_days: { tasks: 30 } } }),
  'api-keys.listApiKeys': () => ({ limit: 2, revoked: false }),
  'api-keys.createApiKey': (world) => ({ name: world.fresh('key'), scopes: ['read'] }),
  'api-keys.getCurrentApiKey': nothing,
  'api-keys.getApiKey': keyId,
  'api-keys.updateApiKey': async (world) => ({ ...(await keyId(world)), name: world.fresh('key') }),
  'api-keys.deleteApiKey': newKeyId,
  'api-keys.revokeApiKey': newKeyId,
  'api-keys.rotateApiKey': async (world) => ({ ...(await newKeyId(world)), grace_seconds: 1 }),
  'audit-log.listAuditEntries': () => ({ limit: 3, action: ['create', 'update'] }),
  'models.listModels': async (world) => ({ ...(await providerId(world)), trainable: false }),
  'models.listAvailableModels': () => ({ limit: 2 }),
  'models.createModel': async (world) => ({ model_name: world.fresh('model'), ...(await providerId(world)) }),
  'models.getModel': modelId,
  'models.updateModel': async (world) => ({ ...(await modelId(world)), display_name: 'Changed' }),
  'models.deleteModel': async (world) => ({ model_id: await world.idOf(world.newModel()) }),
  'models.enableModel': modelId,
  'models.disableModel': async (world) => ({ model_id: await world.idOf(world.newModel()) }),
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
  'requests.correctRequest': async (world) => ({ ...(await requestId(world)), ...corrected }),
  'requests.removeCorrection': afterCorrection,
  'requests.rerunRequest': requestId,
  'requests.listRequestEvaluations': requestId,
  'analytics.getRequestVolume': () => ({ group_by: 'application', bucket: 'week' }),
  'analytics.getFaultRate': () => ({ group_by: 'intent' }),
  'analytics.getLatency': () => ({ group_by: 'model', bucket: 'hour' }),
  'analytics.getUsage': () => ({ request_type: 'PROD' }),
  'analytics.getSummary': () => ({ start_date: 0 }),
  'chat-sessions.listSessions': () => ({ has_feedback: false }),
  'chat-sessions.searchSessions': () => ({ text: 'hello', metadata: {} }),
  'chat-sessions.getSession': chatSession,
  'chat-sessions.updateSession': async (world) => ({ ...(await chatSession(world)), metadata: { plan: 'free' } }),
  'chat-sessions.deleteSession': newChatSession,
  'chat-sessions.listSessionRequests': chatSession,
  'chat-sessions.listSessionTimeline': chatSession,
  'chat-sessions.getSessionFeedback': afterFeedback,
  'chat-sessions.giveSessionFeedback': async (world) => ({ ...(await chatSession(world)), feedback_score: 4 }),
  'chat-sessions.deleteSessionFeedback': afterFeedback,
  'providers.listProviders': nothing,
  'providers.createProvider': (world) => ({ provider_name: world.fresh('sim'), kind: 'simulated' }),
  'providers.getProvider': providerId,
  'providers.updateProvider': async (world) => ({ ...(await providerId(world)), timeout_ms: 5000 }),
  'providers.deleteProvider': async (world) => ({ provider_id: await world.idOf(world.newProvider()) }),
  'providers.testProvider': providerId,
  'agents.listAgents': applicationId,
  'agents.createAgent': async (world) => ({ ...(await applicationId(world)), agent_name: world.fresh('Helper') }),
  'agents.getAgent': agentId,
  'agents.updateAgent': async (world) => ({ ...(await agentId(world)), description: 'changed' }),
  'agents.deleteAgent': newAgentId,
  'agents.enableAgent': agentId,
  'agents.disableAgent': newAgentId,
  'agent-actions.listActions': agentId,
  'agent-actions.createAction': async (world) => ({ ...(await agentId(world)), ...world.actionBody() }),
  'agent-actions.getAction': actionId,
  'agent-actions.updateAction': async (world) => ({ ...(await actionId(world)), description: 'changed' }),
  'agent-actions.deleteAction': async (world) => ({ action_id: await world.idOf(world.newAction()) }),
  'agent-actions.enableAction': actionId,
  'agent-actions.disableAction': async (world) => ({ action_id: await world.idOf(world.newAction()) }),
  'agent-actions.testAction': async (world) => ({ ...(await actionId(world)), arguments: {} }),
  'agent-versions.publishVersion': async (world) => {
    await world.newVersion();
    return { ...(await agentId(world)), increment: 'patch' };
  },
  'agent-versions.listVersions': afterPublishing,
  'agent-versions.diffVersions': async (world) => ({
    ...(await agentId(world)),
    from: (await world.version()).version,
  }),
  'agent-versions.getVersion': version,
  'agent-versions.restoreVersion': version,
  'agent-versions.listReleases': agentId,
  'agent-versions.createRelease': async (world) => ({ ...(await version(world)), name: world.fresh('release') }),
  'agent-versions.getRelease': release,
  'agent-versions.updateRelease': async (world) => ({ ...(await release(world)), version: 'latest' }),
  'agent-versions.deleteRelease': async (world) => ({
    ...(await agentId(world)),
    release_name: (await world.newRelease()).name,
  }),
  'agent-versions.checkRelease': async (world) => ({ ...(await release(world)), version: 'latest' }),
  'agent-versions.listReleaseMoves': release,
  'releases.listAllReleases': () => ({ parent_type: ['agent', 'monitor'] }),
  'agent-tasks.invokeAgent': async (world) => ({ ...(await agentId(world)), message: 'hello', wait: false }),
  'agent-tasks.listTasks': async (world) => ({ ...(await agentId(world)), status: ['COMPLETED', 'FAILED'] }),
  'agent-tasks.listAllTasks': () => ({ status: ['COMPLETED', 'FAILED'], include_body: true, sort: '-duration_ms' }),
  'agent-tasks.getAnyTask': async (world) => ({ task_id: (await world.task()).task_id }),
  'agent-tasks.getTask': task,
  'agent-tasks.listTaskTimeline': task,
  'agent-tasks.streamTask': task,
  'agent-tasks.cancelTask': async (world) => {
    const { agent_id, task_id } = await world.newWaitingTask();
    return { agent_id, task_id };
  },
  'agent-hooks.answerHook': async (world) => ({ hook_key: await world.newHookKey(), payload: { done: true } }),
  'agent-sessions.listAgentSessions': agentId,
  'agent-sessions.getAgentSession': session,
  'agent-sessions.deleteAgentSession': newSession,
  'agent-sessions.listAgentSessionTimeline': session,
  'agent-sessions.listAgentSessionTasks': session,
  'agent-sessions.getAgentSessionFeedback': async (world) => withFeedback(world, await session(world)),
  'agent-sessions.setAgentSessionFeedback': async (world) => ({ ...(await session(world)), feedback_score: 4 }),
  'agent-sessions.deleteAgentSessionFeedback': async (world) => withFeedback(world, await newSession(world)),
};
