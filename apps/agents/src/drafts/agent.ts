import {
  type AgentKind,
  type ApiError,
  conflict,
  invalidField,
  type OnOff,
  parseAgentConfig,
  emits,
} from '@signalbox/contracts';

export interface AgentState {
  status: OnOff;
  kind?: AgentKind;
  /** Null after the application was deleted with force. */
  application_id?: number | null;
}

/** No credentials in URLs, because third parties would log them. */
export function checkHttpUrl(field: string, url: string | null | undefined): void {
  if (url == null) return;
  const parsed = /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url) : null;
  if (!parsed) throw invalidField(field, 'must be an http or https URL');
  if (parsed.username || parsed.password)
    throw invalidField(field, 'must not contain a user name or password: they belong in auth');
}

const switched = (status: OnOff) => emits(status === 'ENABLED' ? 'agent.enabled' : 'agent.disabled');

interface AgentFields {
  base_url?: string | null | undefined;
  agent_config?: Record<string, unknown> | undefined;
  mcp_servers?: readonly number[] | undefined;
}

export function checkAgent({ base_url, agent_config, mcp_servers = [] }: AgentFields): void {
  if (new Set(mcp_servers).size < mcp_servers.length) throw invalidField('mcp_servers', 'must name each server once');
  checkHttpUrl('base_url', base_url);
  if (agent_config) parseAgentConfig(agent_config);
}

/** 400 for an agent that has an application: it cannot be changed. */
export function checkBinding(agent: AgentState, application_id: number | undefined): void {
  if (application_id !== undefined && agent.application_id != null)
    throw invalidField('application_id', 'cannot be changed');
}

const OF_DRAFT: Readonly<Record<string, unknown>> = {
  execution_mode: 'reasoning',
  model: null,
  system_prompt: null,
  strategy_prompt_addendum: null,
  agent_config: {},
  max_iterations: 10,
  max_cost: null,
  response_format: null,
  base_url: null,
  mcp_servers: [],
};

/** 409: the agent runs elsewhere. */
export const hasNoDraft = (what = 'it has no draft'): ApiError =>
  conflict(`the agent is EXTERNAL, it runs elsewhere: ${what}`);

/** 409 for a new agent that runs elsewhere and has fields of a draft. */
export function checkKind({ kind, ...given }: { kind?: AgentKind } & Record<string, unknown>): void {
  if (kind !== 'EXTERNAL') return;
  const field = Object.entries(OF_DRAFT).find(
    ([name, unset]) => given[name] !== undefined && JSON.stringify(given[name]) !== JSON.stringify(unset),
  )?.[0];
  if (field !== undefined) throw hasNoDraft(`it has no ${field}`);
}

/** 400 for a change of the kind; 409 for a change of a draft that does not exist. */
function checkDraft({ kind }: AgentState, change: object): void {
  if ('kind' in change && change.kind !== undefined) throw invalidField('kind', 'cannot be changed');
  if (kind !== 'EXTERNAL') return;
  const field = Object.keys(change).find((name) => name in OF_DRAFT);
  if (field !== undefined) throw hasNoDraft(`it has no ${field}`);
}

export function updateAgent<Change extends AgentFields & { status?: OnOff; application_id?: number }>(
  agent: AgentState,
  change: Change,
) {
  checkAgent(change);
  checkDraft(agent, change);
  checkBinding(agent, change.application_id);
  if (Object.keys(change).length === 0) return {};
  const turned = change.status !== undefined && change.status !== agent.status;
  return {
    set: change,
    events: [emits('agent.updated'), ...(turned ? [switched(change.status as OnOff)] : [])],
  };
}

export function switchAgent(agent: AgentState, status: OnOff) {
  if (agent.status === status) return {};
  return { set: { status }, events: [switched(status)], action: status === 'ENABLED' ? 'enable' : 'disable' };
}
