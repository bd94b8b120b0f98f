import { type Agent, type AgentAction, type AgentsCreateInput, type Application, type Signalbox } from '@signalbox/sdk';
import { nullIfNotFound } from '../null-if-not-found.js';

const APPLICATION = 'Order desk (demo)';
const AGENT = 'Order desk agent';
const LOOK_UP = 'look_up_order';
export const RELEASE = 'production';

export interface OrderDesk {
  application: Application;
  agent: Agent;
  reused: boolean;
}

async function application(api: Signalbox): Promise<Application> {
  const list = await api.applications.list({ limit: 100, search: APPLICATION }).all();
  const known = list.find((each) => each.application_name === APPLICATION);
  return known ?? api.applications.create({ application_name: APPLICATION, description: 'Created by npm run demo' });
}

export async function openAgent(
  api: Signalbox,
  home: Application,
  agent_name: string,
  more: Pick<AgentsCreateInput, 'description' | 'system_prompt' | 'model' | 'max_cost'>,
): Promise<{ agent: Agent; reused: boolean }> {
  const agents = await api.agents.list({ application_id: home.id, limit: 100 }).all();
  const known = agents.find((each) => each.agent_name === agent_name);
  const body = { application_id: home.id, agent_name, model: 'simulated-echo', ...more };
  const agent = known ? await api.agents.get({ agent_id: known.id }) : await api.agents.create(body);
  return { agent, reused: known !== undefined };
}

export async function openOrderDesk(api: Signalbox): Promise<OrderDesk> {
  const home = await application(api);
  const desk = await openAgent(api, home, AGENT, {
    description: 'Answers customers who ask where their order is',
    system_prompt: 'Answer in one sentence, from the data of the order system and nothing else.',
  });
  return { application: home, ...desk };
}

const actionOf = (agent: Agent, name: string): AgentAction | undefined =>
  agent.actions.find((each) => each.action_name === name);

/** The port that the action called in an earlier run. */
export function formerPort({ agent }: OrderDesk): number | null {
  const url = actionOf(agent, LOOK_UP)?.action_config?.base_url;
  return typeof url === 'string' && URL.canParse(url) ? Number(new URL(url).port) || null : null;
}

const actionsAt = (base_url: string) => ({
  [LOOK_UP]: {
    action_type: 'api' as const,
    description: "Looks up the state of the customer's latest order",
    // The default action runs before anything else.
    is_default: true,
    action_config: { base_url, endpoint: '/orders/latest', method: 'GET' as const, timeout_ms: 5000 },
  },
  book_courier: {
    action_type: 'webhook' as const,
    description: 'Asks the courier for another day, and waits for the answer',
    is_default: false,
    action_config: {
      base_url,
      endpoint: '/courier',
      mode: 'callback' as const,
      body: { reply_to: '{{callback_url}}' },
    },
  },
  say_it_kindly: {
    action_type: 'llm' as const,
    description: 'Puts something into one friendly sentence',
    is_default: false,
    action_config: { prompt: 'Say this in one friendly sentence.' },
  },
});

export type Actions = Record<keyof ReturnType<typeof actionsAt>, AgentAction>;

/** Actions that are up to date stay unchanged. */
export async function connectActions(api: Signalbox, { agent }: OrderDesk, baseUrl: string): Promise<Actions> {
  const created: [string, AgentAction][] = [];
  for (const [name, wanted] of Object.entries(actionsAt(baseUrl)))
    created.push([name, await act(api, agent, name, wanted)]);
  return Object.fromEntries(created) as Actions;
}

async function act(
  api: Signalbox,
  agent: Agent,
  action_name: string,
  wanted: ReturnType<typeof actionsAt>[keyof ReturnType<typeof actionsAt>],
): Promise<AgentAction> {
  const known = actionOf(agent, action_name);
  const config = wanted.action_config as { base_url?: string };
  const current = known?.action_config as { base_url?: string } | undefined;
  if (known?.enabled && known.is_default === wanted.is_default && current?.base_url === config.base_url) return known;
  const body = { action_name, enabled: true, action_result_type: 'gather_info' as const, ...wanted };
  return known
    ? api.agents.updateAction({ action_id: known.id, ...body })
    : api.agents.createAction({ agent_id: agent.id, ...body });
}

/** Publishes the draft, unless nothing has changed since the last version. */
export async function publish(api: Signalbox, agentId: number): Promise<{ version: string; fresh: boolean }> {
  const { latest_version: latest, has_unpublished_changes: changed } = await api.agents.get({
    agent_id: agentId,
  });
  if (latest !== null && !changed) return { version: latest, fresh: false };
  const { version } = await api.agents.publishVersion({
    agent_id: agentId,
    increment: 'minor',
    version_notes: 'Published by npm run demo',
  });
  return { version, fresh: true };
}

export async function release(api: Signalbox, agentId: number, version: string): Promise<void> {
  const place = { agent_id: agentId, release_name: RELEASE };
  const known = await api.agents.getRelease(place).catch(nullIfNotFound);
  if (known === null) await api.agents.createRelease({ agent_id: agentId, name: RELEASE, version });
  else if (known.version_number !== version) await api.agents.updateRelease({ ...place, version });
}
