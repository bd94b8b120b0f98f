import { defineContract } from '../../contract.js';
import { intType } from '../../fields/field-types.js';
import { Count, Id, List } from '../../fields/fields.js';

class GroupPath {
  @Id() intent_group_id!: number;
}
/** The first datasets and compositions of an intent group, and their numbers. */
export class GroupUses {
  @List(intType(), 0, 20) dataset_ids!: number[];
  @Count() datasets!: number;
  @List(intType(), 0, 20) composition_ids!: number[];
  @Count() compositions!: number;
}

/** Internal: references between training and the resources of other services. */
export const trainingLinks = defineContract(
  { name: 'training-links', service: 'training', tag: 'Internal' },
  {
    findGroupUses: {
      summary: 'Find the datasets and compositions of an intent group',
      input: GroupPath,
      output: GroupUses,
    },
  },
);
