import { defineContract } from '../../../contract.js';
import { Count, Id, ListOf, Matching, Nullable } from '../../../fields/fields.js';

class InputsOfSet {
  @Id() test_set_id!: number;
  /** Id of the item after which the page begins. */
  @Count() after!: number;
}
/** The input of an item by its hash. */
export class ItemInput {
  @Id() item_id!: number;
  @Matching(/^[0-9a-f]{32}$/, 'the hash of an input') input_hash!: string;
}
export class ItemInputs {
  @ListOf(() => ItemInput, 0, 2000) inputs!: ItemInput[];
  /** Null after the last page. */
  @Count() @Nullable() after!: number | null;
}

/** Internal: the inputs of test sets, for training data that must not contain them. */
export const testSetInputs = defineContract(
  { name: 'test-set-inputs', service: 'test-runs', tag: 'Internal' },
  {
    readItemInputs: {
      summary: 'Read the hashes of the inputs of a test set; 404 when it does not exist',
      input: InputsOfSet,
      output: ItemInputs,
    },
  },
);
