import {
  type AgentAction,
  type AgentSummary,
  conflict,
  type FormField,
  type McpTool,
  type RoutingConfig,
  type RoutingRule,
  type SubAgentLink,
} from '@signalbox/contracts';

export type AgentDraft = Pick<
  AgentSummary,
  | 'agent_name'
  | 'description'
  | 'execution_mode'
  | 'model'
  | 'system_prompt'
  | 'strategy_prompt_addendum'
  | 'agent_config'
  | 'max_iterations'
  | 'max_cost'
  | 'response_format'
  | 'base_url'
  | 'meta'
>;

export interface ActionDraft extends Omit<AgentAction, 'date_created' | 'agent_id' | 'status'> {
  /**
   * True when the draft named neither version nor release of its workflow and the publish filled in the latest one.
   * Stored in snapshots of versions under this name.
   */
  frozen?: boolean;
}

export type ActionSecrets = Pick<ActionDraft, 'enabled' | 'action_config'>;

type Frozen<Part> = Omit<Part, 'agent_id' | 'date_created' | 'date_updated'>;

export interface LinkDraft extends Frozen<SubAgentLink> {
  /** As in `ActionDraft`, of the version of the sub-agent. */
  frozen?: boolean;
}

export type RuleDraft = Frozen<RoutingRule>;

export type FieldDraft = Frozen<FormField>;

export type FrozenTool = Omit<McpTool, 'output_schema'>;

export interface FrozenMcpServer {
  id: number;
  name: string;
  url: string;
  headers: Record<string, string>;
  tools: FrozenTool[];
}

/** The draft of an agent or a published version, as a task uses it. */
export interface AgentSnapshot extends AgentDraft {
  actions: ActionDraft[];
  sub_agents: LinkDraft[];
  routing: RoutingConfig;
  routing_rules: RuleDraft[];
  form_fields: FieldDraft[];
  /** Absent in versions that were published before agents could use servers. */
  mcp_servers?: FrozenMcpServer[];
}

/** 409 for a child without a published version. */
export function freezeLinks(links: readonly LinkDraft[], latest: ReadonlyMap<number, string>): LinkDraft[] {
  return links.map((link) => {
    if (link.version !== null || link.release !== null) return link;
    const version = latest.get(link.child_agent_id);
    if (version === undefined) throw conflict(`sub-agent ${link.child_agent_id} has no published version`);
    return { ...link, version, frozen: true };
  });
}

/** Returns the actions of a published version, given the latest version of each workflow that they name without one. */
export function freezeWorkflows(actions: readonly ActionDraft[], latest: ReadonlyMap<number, string>): ActionDraft[] {
  return actions.map((action) => {
    const { action_type, action_config: config } = action;
    if (action_type !== 'maitai_workflow' || config === null || config.version || config.release) return action;
    const version = latest.get(Number(config.workflow_id));
    if (version === undefined) throw conflict(`action ${action.action_name} was changed meanwhile: publish again`);
    return { ...action, action_config: { ...config, version }, frozen: true };
  });
}

export function withoutPublishPins({ frozen, ...action }: ActionDraft): ActionDraft {
  return frozen ? { ...action, action_config: { ...action.action_config, version: null } } : action;
}

export function split({ mcp_servers = [], ...snapshot }: AgentSnapshot) {
  const { actions, sub_agents, routing, routing_rules, form_fields, ...own } = snapshot;
  const fields = { ...own, mcp_servers: mcp_servers.map(({ id }) => id) };
  return { fields, parts: { actions, sub_agents, routing, routing_rules, form_fields } };
}

export type SnapshotParts = ReturnType<typeof split>['parts'];

export const AGENT_FIELDS = [
  'agent_name',
  'description',
  'execution_mode',
  'model',
  'system_prompt',
  'strategy_prompt_addendum',
  'agent_config',
  'max_iterations',
  'max_cost',
  'response_format',
  'base_url',
  'meta',
] as const satisfies (keyof AgentSnapshot)[];

export const ACTION_FIELDS = [
  'action_name',
  'action_type',
  'description',
  'enabled',
  'action_config',
  'meta',
  'is_default',
  'action_result_type',
  'invocation_mode',
] as const satisfies (keyof AgentSnapshot['actions'][number])[];
