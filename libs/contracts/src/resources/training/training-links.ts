import { defineContract } from '../../contract.js';
import { intType } from '../../fields/field-types.js';
import { Count, List } from '../../fields/fields.js';
import { IntentGroupPath } from '../paths.js';

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
      input: IntentGroupPath,
      output: GroupUses,
    },
  },
);
