import { defineContract } from '../../contract.js';
import { type ApiError, conflict } from '../../errors.js';
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

/** 409 for the deletion of an intent group that training uses; nothing for one that it does not use. */
export function groupUseConflict(uses: GroupUses): ApiError | undefined {
  const details = [
    ...uses.dataset_ids.map((id) => ({ field: 'dataset_id', message: `dataset ${id} belongs to the intent group` })),
    ...uses.composition_ids.map((id) => ({
      field: 'composition_id',
      message: `composition ${id} belongs to the intent group`,
    })),
  ];
  return details.length === 0
    ? undefined
    : conflict(`the intent group has ${uses.datasets} datasets and ${uses.compositions} compositions`, details);
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
