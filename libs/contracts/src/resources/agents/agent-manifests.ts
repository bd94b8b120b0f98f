import { defineContract } from '../../contract.js';
import {
  Default,
  field,
  Flag,
  Id,
  Int,
  join,
  List,
  ListOf,
  Matching,
  Name,
  Nested,
  Nullable,
  Num,
  Obj,
  omit,
  OneOf,
  Optional,
  Description,
  Slug,
  Str,
  Text,
} from '../../fields/fields.js';
import { ApiError } from '../../errors.js';
import { type FieldType, intType, stringType } from '../../fields/field-types.js';
import { AtMostOne, Checked } from '../../fields/checks.js';
import { parse } from '../../fields/parse.js';
import { ON_OFF, type OnOff, ResponseFormat } from '../../shapes.js';
import { versionWord } from '../../versions/versions.js';
import { FormFieldBody, SubAgentLink } from './agent-parts.js';
import { ACTION_RESULT_TYPES, ActionBody } from './agent-actions.js';
import { Agent, EXECUTION_MODES } from './agents.js';
import { modelNameType } from '../model-names.js';
import { MAX_MCP_SERVERS } from './mcp-servers.js';
import { ROUTE_TYPES, RoutingConfig, RuleBody } from './routing.js';
import { AgentPath } from './agent-path.js';

/** A route that names its target instead of giving its id. */
@Checked<ManifestRoute>(({ type, agent, action }) => {
  if (type === 'agent' && agent == null) return { field: 'agent', message: 'is required when type is agent' };
  if (type === 'action' && action == null) return { field: 'action', message: 'is required when type is action' };
  return undefined;
})
export class ManifestRoute {
  @OneOf(ROUTE_TYPES) type!: (typeof ROUTE_TYPES)[number];
  @Name() @Nullable() @Optional() agent?: string | null;
  @Name() @Nullable() @Optional() action?: string | null;
}

/** The routing of an agent in a manifest when no rule matches. */
export class ManifestRoutingConfig extends omit(RoutingConfig, 'default') {
  @Nested(() => ManifestRoute) default!: ManifestRoute;
}

export class ManifestRule extends omit(RuleBody, 'route') {
  @Nested(() => ManifestRoute) route!: ManifestRoute;
}

export class ManifestRouting {
  @Nested(() => ManifestRoutingConfig) config!: ManifestRoutingConfig;
  @ListOf(() => ManifestRule, 0, 200) @Default(() => []) rules!: ManifestRule[];
}

/** A sub-agent of a manifest with the settings of its link. */
@AtMostOne('version', 'release')
export class ManifestHandoff {
  @Name() name!: string;
  @field(versionWord) @Nullable() @Optional() version?: string | null;
  @Slug() @Nullable() @Optional() release?: string | null;
  @OneOf(ACTION_RESULT_TYPES) @Default('gather_info') action_result_type!: (typeof ACTION_RESULT_TYPES)[number];
}

const nameType = stringType(1, 200);

/** The name of a sub-agent, or an object with the settings of its link. */
const handoffType: FieldType = {
  schema: () => ({ oneOf: [nameType.schema(), { $class: ManifestHandoff }] }),
  problem: (value) => {
    if (typeof value === 'string') return nameType.problem(value);
    try {
      parse(ManifestHandoff, value);
      return undefined;
    } catch (error) {
      const [detail] = error instanceof ApiError ? (error.extras.details ?? []) : [];
      return detail ? `is not a handoff: ${detail.field} ${detail.message}` : 'is not a handoff';
    }
  },
};

/** An agent in a manifest; absent fields keep their value, or the default for a new agent. */
export class ManifestAgent {
  @Name() name!: string;
  @OneOf(ON_OFF) @Optional() status?: OnOff;
  @Str() @Nullable() @Optional() description?: string | null;
  @Text() @Nullable() @Optional() instructions?: string | null;
  @OneOf(EXECUTION_MODES) @Optional() execution_mode?: (typeof EXECUTION_MODES)[number];
  @field(modelNameType) @Nullable() @Optional() model?: string | null;
  @Text() @Nullable() @Optional() strategy_prompt_addendum?: string | null;
  @Obj() @Optional() agent_config?: Record<string, unknown>;
  @Int(1, 100) @Optional() max_iterations?: number;
  @Num(0, 10_000) @Nullable() @Optional() max_cost?: number | null;
  @Nested(() => ResponseFormat) @Nullable() @Optional() response_format?: ResponseFormat | null;
  @Matching(/^https?:\/\/[^\s]{1,500}$/, 'an http or https URL') @Nullable() @Optional() base_url?: string | null;
  @Obj() @Optional() meta?: Record<string, unknown>;
  @List(stringType(1, 64), 0, MAX_MCP_SERVERS) @Optional() @Description('Names of MCP servers') mcp_servers?: string[];
  @ListOf(() => ActionBody, 0, 200) @Optional() actions?: ActionBody[];
  @List(handoffType, 0, 200) @Optional() handoffs?: (string | ManifestHandoff)[];
  @ListOf(() => FormFieldBody, 0, 200) @Optional() form_fields?: FormFieldBody[];
  @Nested(() => ManifestRouting) @Optional() routing?: ManifestRouting;
}

export class ManifestApplication {
  @Slug() ref_name!: string;
  @Name() name!: string;
}

/** Agents in a form that can be kept in files and moved between installations. */
export class AgentManifest {
  @Nested(() => ManifestApplication) application!: ManifestApplication;
  @ListOf(() => ManifestAgent, 1, 50) agents!: ManifestAgent[];
}

class ImportAgents extends AgentManifest {
  @OneOf(['error', 'update']) @Default('error') on_conflict!: 'error' | 'update';
  @Flag() @Default(false) prune!: boolean;
}

/** An item that an import skipped or left unchanged. */
export class ImportWarning {
  @Str() path!: string;
  @Str(0, 2000) message!: string;
}

export class ImportedAgent {
  @Name() name!: string;
  @Id() id!: number;
  @OneOf(['created', 'updated', 'unchanged']) status!: 'created' | 'updated' | 'unchanged';
  @List(intType()) action_ids!: number[];
  @ListOf(() => SubAgentLink) subagent_links!: SubAgentLink[];
  @ListOf(() => ImportWarning) warnings!: ImportWarning[];
}

export class AgentImport {
  @Id() application_id!: number;
  @ListOf(() => ImportedAgent) agents!: ImportedAgent[];
  @ListOf(() => ImportWarning) @Description('All warnings, including those of the agents') warnings!: ImportWarning[];
}

class CloneBody {
  @Name() agent_name!: string;
  @Id() @Optional() application_id?: number;
}
class ExportQuery {
  @field(versionWord) @Optional() version?: string;
}

/** Copies of agents: within the platform, and as manifests (docs/api/agents.md). */
export const agentManifests = defineContract(
  { name: 'agent-manifests', service: 'agents', tag: 'Agents' },
  {
    cloneAgent: {
      post: '/agents/{agent_id}/clone',
      summary: 'Copy the draft of an agent under a new name',
      errors: ['conflict'],
      input: join(AgentPath, CloneBody),
      output: Agent,
    },
    importAgents: {
      post: '/agents/import',
      summary: 'Create or update agents from a manifest, all or none',
      errors: ['not_found', 'conflict', 'refused'],
      input: ImportAgents,
      output: AgentImport,
      http: { body: 'large' },
    },
    exportAgent: {
      get: '/agents/{agent_id}/export',
      summary: 'Get an agent as an importable manifest',
      errors: ['conflict'],
      input: join(AgentPath, ExportQuery),
      output: AgentManifest,
    },
  },
);
