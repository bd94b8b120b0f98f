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
/** The model names that no model of the company has. */
export class UnknownModels {
  @List(stringType(1, 200), 0, 2000) model_names!: string[];
}
/** An intent by its path. */
export class IntentKey {
  @Id() id!: number;
  @Id() application_id!: number;
}
/** Some of the intents that an agent serves, and how many there are. */
export class BoundIntents {
  @ListOf(() => IntentKey) intents!: IntentKey[];
  @Count() total!: number;
}
/** How many intents something was about. */
export class IntentCount {
  @Count() intents!: number;
}

/** Internal: what ties models and intents to the things of other services. */
export const trafficLinks = defineContract(
  { name: 'traffic-links', service: 'traffic', tag: 'Internal' },
  {
    findUnknownModels: {
      summary: 'Find the names that no model of the company has, enabled or not',
      input: ModelNames,
      output: UnknownModels,
    },
    listBoundIntents: {
      summary: 'List the first intents that an agent serves',
      input: AgentPath,
      output: BoundIntents,
    },
    unbindAgent: {
      summary: 'Take an agent off the intents that it serves',
      input: AgentPath,
      output: IntentCount,
    },
  },
);
