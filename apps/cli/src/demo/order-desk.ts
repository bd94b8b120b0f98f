import { type Agent, type AgentAction, type AgentVersion, type Application, type Release } from '@signalbox/contracts';
import { type PublicApi, Refused } from './public-api.js';

const APPLICATION = 'Order desk (demo)';
const AGENT = 'Order desk agent';
const ACTION = 'look_up_order';
export const RELEASE = 'production';

/** What the demo finds of an earlier run, or makes. */
export interface OrderDesk {
  application: Application;
  agent: Agent;
  reused: boolean;
}

const found = (error: unknown): null => {
  if (error instanceof Refused && error.status === 404) return null;
  throw error;
};

async function application(api: PublicApi): Promise<Application> {
  const list = await api.get<Application[]>(`/applications?limit=100&search=${encodeURIComponent(APPLICATION)}`);
  const known = list.find((each) => each.application_name === APPLICATION);
  return known ?? api.post('/applications', { application_name: APPLICATION, description: 'Made by npm run demo' });
}

/** The application and the agent, made when there are none of this name. */
export async function openOrderDesk(api: PublicApi): Promise<OrderDesk> {
  const home = await application(api);
  const agents = await api.get<Agent[]>(`/agents?application_id=${home.id}&limit=100`);
  const known = agents.find((each) => each.agent_name === AGENT);
  const agent = known
    ? await api.get<Agent>(`/agents/${known.id}`)
    : await api.post<Agent>('/agents', {
        application_id: home.id,
        agent_name: AGENT,
        description: 'Answers customers who ask where their order is',
        model: 'simulated-echo',
        system_prompt: 'Answer in one sentence, from what the order system says and nothing else.',
      });
  return { application: home, agent, reused: known !== undefined };
}

const actionOf = (agent: Agent): AgentAction | undefined => agent.actions.find((each) => each.action_name === ACTION);

/** The port the action called in an earlier run. */
export function formerPort({ agent }: OrderDesk): number | null {
  const url = actionOf(agent)?.action_config?.base_url;
  return typeof url === 'string' && URL.canParse(url) ? Number(new URL(url).port) || null : null;
}

/** Gives the agent the action that asks the order service; the default action is taken before anything is answered. */
export async function connectAction(api: PublicApi, { agent }: OrderDesk, baseUrl: string): Promise<AgentAction> {
  const known = actionOf(agent);
  if (known?.enabled && known.is_default && known.action_config?.base_url === baseUrl) return known;
  const action = {
    action_name: ACTION,
    action_type: 'api',
    description: "Looks up the state of the customer's latest order",
    enabled: true,
    is_default: true,
    action_result_type: 'gather_info',
    action_config: { base_url: baseUrl, endpoint: '/orders/latest', method: 'GET', timeout_ms: 5000 },
  };
  return known ? api.put(`/agents/actions/${known.id}`, action) : api.post(`/agents/${agent.id}/actions`, action);
}

/** Freezes the draft into a version, unless nothing has changed since the last one. */
export async function publish(api: PublicApi, agentId: number): Promise<{ version: string; fresh: boolean }> {
  const { latest_version: latest, has_unpublished_changes: changed } = await api.get<Agent>(`/agents/${agentId}`);
  if (latest !== null && !changed) return { version: latest, fresh: false };
  const notes = { increment: 'minor', version_notes: 'Published by npm run demo' };
  const { version } = await api.post<AgentVersion>(`/agents/${agentId}/versions`, notes);
  return { version, fresh: true };
}

/** Lets the release point at the version. */
export async function release(api: PublicApi, agentId: number, version: string): Promise<void> {
  const path = `/agents/${agentId}/releases`;
  const known = await api.get<Release>(`${path}/${RELEASE}`).catch(found);
  if (known === null) await api.post(path, { name: RELEASE, version });
  else if (known.version_number !== version) await api.put(`${path}/${RELEASE}`, { version });
}
