import { defineContract } from '../../contract.js';
import { intType } from '../../fields/field-types.js';
import { Count, field, Id, List, Name, Nullable, Optional, SemVer, Slug, Text, Uuid } from '../../fields/fields.js';
import { modelNameType } from '../model-names.js';
import { listGatedReleases } from '../../versions/releases.js';
import { ApplicationPath } from '../paths.js';
import { WorkflowPath } from '../workflows/workflow-path.js';
import { AgentPath } from './agent-path.js';

class TaskPath {
  @Uuid() task_id!: string;
}
class ModelNamed {
  @field(modelNameType) model_name!: string;
}
/** The target of standing traffic for an agent; both null = the draft. */
export class StandingTarget {
  @SemVer() @Nullable() version!: string | null;
  @Slug() @Nullable() release!: string | null;
}
/** The system prompt that a task was run with; null when its agent had none. */
export class TaskSystemPrompt {
  @Text() @Nullable() system_prompt!: string | null;
}
/** The first agents with an action that runs a workflow, and their total number. */
export class WorkflowUses {
  @List(intType(), 0, 20) agent_ids!: number[];
  @Count() total!: number;
}
class AgentNamed {
  @Name() agent_name!: string;
  @Id() @Nullable() @Optional() application_id?: number | null;
}
export class FoundAgent {
  @Id() agent_id!: number;
}
export class AgentCount {
  @Count() agents!: number;
}

/** Internal: references between agents and the resources of other services. */
export const agentLinks = defineContract(
  { name: 'agent-links', service: 'agents', tag: 'Internal' },
  {
    getStandingTarget: {
      summary:
        'Get the target of calls that cannot name a version: the default release, the latest version or the draft',
      input: AgentPath,
      output: StandingTarget,
    },
    getTaskSystemPrompt: {
      summary: 'Get the system prompt of the version or draft that a task was run with',
      input: TaskPath,
      output: TaskSystemPrompt,
    },
    findAgent: {
      summary:
        'Find the agent with this id, else that of this exact name in the application, else the only one in the company; 409 when it is ambiguous',
      input: AgentNamed,
      output: FoundAgent,
    },
    findWorkflowUses: {
      summary: 'Find the agents whose drafts have an action that runs a workflow',
      input: WorkflowPath,
      output: WorkflowUses,
    },
    countModelUses: {
      summary: 'Count the agents that name a model in their draft or a published version',
      input: ModelNamed,
      output: AgentCount,
    },
    unbindApplication: {
      summary: 'Detach the agents from a deleted application',
      input: ApplicationPath,
      output: AgentCount,
    },
    listGatedReleases,
  },
);
