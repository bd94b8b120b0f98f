import { defineContract } from '../../contract.js';
import { Count, field, Id, Nullable, SemVer, Slug } from '../../fields/fields.js';
import { modelNameType } from '../companies.js';

class AgentPath {
  @Id() agent_id!: number;
}
class ModelNamed {
  @field(modelNameType) model_name!: string;
}
class ApplicationPath {
  @Id() application_id!: number;
}
/** What standing traffic runs of an agent; both null = the draft. */
export class StandingTarget {
  @SemVer() @Nullable() version!: string | null;
  @Slug() @Nullable() release!: string | null;
}
/** How many agents something is about. */
export class AgentCount {
  @Count() agents!: number;
}

/** Internal: what ties agents to the things of other services. */
export const agentLinks = defineContract(
  { name: 'agent-links', service: 'agents', tag: 'Internal' },
  {
    getStandingTarget: {
      summary: 'What runs where a version cannot be named: the default release, the latest version or the draft',
      input: AgentPath,
      output: StandingTarget,
    },
    countModelUses: {
      summary: 'How many agents name a model in their draft or a published version',
      input: ModelNamed,
      output: AgentCount,
    },
    unbindApplication: {
      summary: 'Take the agents off an application that was deleted',
      input: ApplicationPath,
      output: AgentCount,
    },
  },
);
