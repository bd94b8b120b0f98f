import { defineContract } from '../contract.js';
import { Count, field, Flag, Id, List, ListOf, Name, Nullable, Slug } from '../fields/fields.js';
import { stringType } from '../fields/field-types.js';
import { modelNameType } from './model-names.js';
import { AgentPath } from './agents/agent-path.js';

class ModelNames {
  @List(modelNameType, 0, 2000) model_names!: string[];
}
/** The model names without a model in the company. */
export class UnknownModels {
  @List(stringType(1, 200), 0, 2000) model_names!: string[];
}
class WorkflowNamed {
  @Slug() workflow_ref_name!: string;
}
class CallTargetNames {
  @Id() @Nullable() application_id!: number | null;
  @List(modelNameType, 0, 2000) model_names!: string[];
  /** Checks the model of calls that name none too. */
  @Flag() with_default!: boolean;
}
/** The models of future calls that cannot be called. */
export class UncallableModels {
  /** The model of calls that name none, by the application and the company; null when it was not asked for. */
  @field(stringType(1, 200)) @Nullable() default_model!: string | null;
  @List(stringType(1, 200), 0, 2001) unknown!: string[];
  /** Those that exist and are disabled, or whose provider is. */
  @List(stringType(1, 200), 0, 2001) disabled!: string[];
}
/** The path of an intent. */
export class IntentKey {
  @Id() id!: number;
  @Id() application_id!: number;
}
/** The first intents that an agent serves, and their total number. */
export class BoundIntents {
  @ListOf(() => IntentKey) intents!: IntentKey[];
  @Count() total!: number;
}
export class IntentCount {
  @Count() intents!: number;
}

class IntentPath {
  @Id() intent_id!: number;
}
/** An intent by its id alone. */
export class IntentOfApplication {
  @Id() application_id!: number;
  @Name() action_type!: string;
}

/** Internal: references between models, intents and the resources of other services. */
export const trafficLinks = defineContract(
  { name: 'traffic-links', service: 'traffic', tag: 'Internal' },
  {
    findUnknownModels: {
      summary: 'Find the names without a model in the company, enabled or not',
      input: ModelNames,
      output: UnknownModels,
    },
    findUncallable: {
      summary: 'Find the models that calls in an application cannot use; refuses an unknown or disabled application',
      input: CallTargetNames,
      output: UncallableModels,
    },
    listBoundIntents: {
      summary: 'List the first intents that an agent serves',
      input: AgentPath,
      output: BoundIntents,
    },
    getIntentName: {
      summary: 'Get the name and the application of an intent; 404 when it does not exist',
      input: IntentPath,
      output: IntentOfApplication,
    },
    listWorkflowIntents: {
      summary: 'List the first intents whose configuration names a workflow as their model',
      input: WorkflowNamed,
      output: BoundIntents,
    },
    unbindWorkflow: {
      summary: 'Remove a workflow from the configuration of the intents that name it as their model',
      input: WorkflowNamed,
      output: IntentCount,
    },
    unbindAgent: {
      summary: 'Detach an agent from the intents that it serves',
      input: AgentPath,
      output: IntentCount,
    },
  },
);
