import { defineContract } from '../contract.js';
import { Count, Id, List, ListOf } from '../fields/fields.js';
import { stringType } from '../fields/field-types.js';
import { modelNameType } from './companies.js';

class ModelNames {
  @List(modelNameType, 0, 2000) model_names!: string[];
}
class AgentPath {
  @Id() agent_id!: number;
}
/** The model names without a model in the company. */
export class UnknownModels {
  @List(stringType(1, 200), 0, 2000) model_names!: string[];
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
/** A number of intents. */
export class IntentCount {
  @Count() intents!: number;
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
    listBoundIntents: {
      summary: 'List the first intents that an agent serves',
      input: AgentPath,
      output: BoundIntents,
    },
    unbindAgent: {
      summary: 'Detach an agent from the intents that it serves',
      input: AgentPath,
      output: IntentCount,
    },
  },
);
