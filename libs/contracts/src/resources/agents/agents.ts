import { defineContract } from '../../contract.js';
import { page } from '../../contract/outputs.js';
import {
  Count,
  Default,
  Epoch,
  field,
  Flag,
  Id,
  Int,
  join,
  Json,
  List,
  ListOf,
  Matching,
  Name,
  Nested,
  Nullable,
  Num,
  Obj,
  OneOf,
  Optional,
  partial,
  Description,
  SemVer,
  Str,
  Text,
} from '../../fields/fields.js';
import { intType, type JsonSchema, oneOfType } from '../../fields/field-types.js';
import { Deleted, ListQuery, ON_OFF, type OnOff, ResponseFormat } from '../../shapes.js';
import { listMcpReleases } from '../../versions/releases.js';
import { versionEndpoints } from '../../versions/versions.js';
import { AgentConfig } from './agent-config.js';
import { FormField, SubAgentLink } from './agent-parts.js';
import { modelNameType } from '../model-names.js';
import { MAX_MCP_SERVERS } from './mcp-servers.js';
import { Routing } from './routing.js';
import { AgentAction } from './agent-actions.js';
import { AgentPath } from './agent-path.js';
import { switchEndpoints } from '../switch-endpoints.js';

/** The execution modes of an agent: a loop that chooses actions, or exactly one capability that produces the answer. */
export const EXECUTION_MODES = ['reasoning', 'route'] as const;

/** Where an agent runs: on this platform, or elsewhere, from where it sends its traces. */
export const AGENT_KINDS = ['HOSTED', 'EXTERNAL'] as const;
export type AgentKind = (typeof AGENT_KINDS)[number];

class AgentBody {
  @Id() application_id!: number;
  @Name() agent_name!: string;
  @OneOf(AGENT_KINDS)
  @Default('HOSTED')
  @Description('EXTERNAL for an agent that runs elsewhere: it has no draft and cannot be invoked')
  kind?: AgentKind;
  @Str() @Nullable() @Optional() description?: string | null;
  @OneOf(ON_OFF) @Default('ENABLED') status!: OnOff;
  @OneOf(EXECUTION_MODES) @Default('reasoning') execution_mode!: (typeof EXECUTION_MODES)[number];
  @field(modelNameType) @Nullable() @Optional() model?: string | null;
  @Text() @Nullable() @Optional() system_prompt?: string | null;
  @Text() @Nullable() @Optional() strategy_prompt_addendum?: string | null;
  @Obj({ allOf: [{ $class: AgentConfig }] } as unknown as JsonSchema)
  @Default(() => ({}))
  agent_config!: Record<string, unknown>;
  @Int(1, 100) @Default(10) max_iterations!: number;
  @Num(0, 10_000) @Nullable() @Optional() max_cost?: number | null;
  @Nested(() => ResponseFormat) @Nullable() @Optional() response_format?: ResponseFormat | null;
  @Matching(/^https?:\/\/[^\s]{1,500}$/, 'an http or https URL') @Nullable() @Optional() base_url?: string | null;
  @Obj() @Default(() => ({})) meta!: Record<string, unknown>;
  @List(intType(1), 0, MAX_MCP_SERVERS)
  @Default(() => [])
  @Description('MCP servers whose tools the agent may call')
  mcp_servers?: number[];
}

/** An agent as shown in lists. */
export class AgentSummary {
  @Id() id!: number;
  @Id() @Nullable() @Description('Null once the application was deleted with force') application_id!: number | null;
  @Name() @Nullable() application_name!: string | null;
  @Name() agent_name!: string;
  @OneOf(AGENT_KINDS) kind!: AgentKind;
  @Str() @Nullable() description!: string | null;
  @OneOf(ON_OFF) status!: OnOff;
  @OneOf(EXECUTION_MODES) execution_mode!: (typeof EXECUTION_MODES)[number];
  @field(modelNameType) @Nullable() model!: string | null;
  @Text() @Nullable() system_prompt!: string | null;
  @Text() @Nullable() strategy_prompt_addendum!: string | null;
  @Obj() agent_config!: Record<string, unknown>;
  @Int(1, 100) max_iterations!: number;
  @Num() @Nullable() max_cost!: number | null;
  @Nested(() => ResponseFormat) @Nullable() response_format!: ResponseFormat | null;
  @Str() @Nullable() base_url!: string | null;
  @Obj() meta!: Record<string, unknown>;
  @List(intType(1)) @Description('MCP servers whose tools the agent may call') mcp_servers!: number[];
  @Count() action_count!: number;
  @Count() sub_agent_count!: number;
  @SemVer() @Nullable() latest_version!: string | null;
  @Flag() has_unpublished_changes!: boolean;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}

export class Agent extends AgentSummary {
  @ListOf(() => AgentAction) actions!: AgentAction[];
  @ListOf(() => SubAgentLink) sub_agents!: SubAgentLink[];
  @Nested(() => Routing) routing!: Routing;
  @ListOf(() => FormField) form_fields!: FormField[];
}

class ListAgents extends ListQuery {
  @Id() @Optional() application_id?: number;
  @List(oneOfType(ON_OFF), 1) @Optional() status?: OnOff[];
  @List(oneOfType(AGENT_KINDS), 1) @Optional() kind?: AgentKind[];
  @List(oneOfType(EXECUTION_MODES), 1) @Optional() execution_mode?: (typeof EXECUTION_MODES)[number][];
  @List(modelNameType, 1, 100) @Optional() model?: string[];
}
class UpdateAgent extends join(AgentPath, partial(AgentBody)) {}
class DeleteAgent extends AgentPath {
  @Flag()
  @Default(false)
  @Description('Detaches the agent from the intents that it serves and the monitors that watch it')
  force?: boolean;
}

const switched = switchEndpoints('/agents/{agent_id}', AgentPath, Agent, {
  enable: 'Enable an agent',
  disable: 'Disable an agent; it can no longer be invoked',
});

/** Agents (docs/api/agents.md). */
export const agents = defineContract(
  { name: 'agents', service: 'agents', tag: 'Agents' },
  {
    listAgents: { get: '/agents', summary: 'List the agents', input: ListAgents, output: page(AgentSummary) },
    createAgent: {
      post: '/agents',
      summary: 'Create an agent',
      errors: ['not_found', 'conflict', 'refused'],
      input: AgentBody,
      output: Agent,
    },
    getAgent: {
      get: '/agents/{agent_id}',
      summary: 'Get an agent with its parts',
      input: AgentPath,
      output: Agent,
      delivery: { batchable: 'agent_id' },
    },
    updateAgent: {
      put: '/agents/{agent_id}',
      summary: 'Change the draft of an agent',
      errors: ['conflict', 'refused'],
      input: UpdateAgent,
      output: Agent,
    },
    deleteAgent: {
      delete: '/agents/{agent_id}',
      summary: 'Delete an agent',
      errors: ['conflict'],
      input: DeleteAgent,
      output: Deleted,
    },
    enableAgent: switched.enable,
    disableAgent: switched.disable,
  },
);

class AgentName {
  @Id() id!: number;
  @Name() agent_name!: string;
}
/** A published version of an agent; `date_created` is epoch seconds. */
export class AgentVersion {
  @Id() id!: number;
  @SemVer() version!: string;
  @Id() agent_id!: number;
  @Str(0, 2000) notes!: string;
  @Flag() is_latest!: boolean;
  @Count() date_created!: number;
  @Nested(() => AgentName) agent!: AgentName;
  @Json() @Optional() snapshot?: unknown;
}

const shared = versionEndpoints({
  root: '/agents/{agent_id}',
  path: AgentPath,
  version: AgentVersion,
  resource: Agent,
  noun: 'agent',
});

class PublishAgent extends shared.publishVersion.input {
  @SemVer()
  @Optional()
  @Description('Only for an EXTERNAL agent, and required there: the number of the version that runs elsewhere')
  version?: string;
}

const agentVersionEndpoints = { ...shared, publishVersion: { ...shared.publishVersion, input: PublishAgent } } as const;

/** Versions and releases of agents (docs/api/versions-and-releases.md). */
export const agentVersions = defineContract(
  { name: 'agent-versions', service: 'agents', tag: 'Agents' },
  { ...agentVersionEndpoints, listMcpReleases },
);
