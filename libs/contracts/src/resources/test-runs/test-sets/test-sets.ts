import { defineContract } from '../../../contract.js';
import { page } from '../../../contract/outputs.js';
import { intType, oneOfType, stringType } from '../../../fields/field-types.js';
import {
  Count,
  Default,
  Epoch,
  Id,
  join,
  List,
  Name,
  Nullable,
  Obj,
  OneOf,
  Optional,
  partial,
  Str,
} from '../../../fields/fields.js';
import { Deleted, ListQuery } from '../../../shapes.js';
import { CONSUMER_KINDS, type ConsumerKind } from './test-data.js';

class TestSetBody {
  @Name() name!: string;
  @Str() @Nullable() @Optional() description?: string | null;
  @List(oneOfType(CONSUMER_KINDS), 0, 3) @Default(() => []) consumer_kinds!: ConsumerKind[];
  @List(intType(), 0, 20) @Default(() => []) criteria_ids!: number[];
  @List(stringType(1, 200), 0, 20) @Default(() => []) tags!: string[];
  @Obj() @Default(() => ({})) meta!: Record<string, unknown>;
}

/** Curated pairs of input and expected output (docs/api/tests.md). */
export class TestSet {
  @Id() id!: number;
  @Name() name!: string;
  @Str() @Nullable() description!: string | null;
  @List(oneOfType(CONSUMER_KINDS)) consumer_kinds!: ConsumerKind[];
  @List(intType()) criteria_ids!: number[];
  @List(stringType(1, 200)) tags!: string[];
  @Obj() meta!: Record<string, unknown>;
  @Count() item_count!: number;
  @Epoch() @Nullable() last_run_at!: number | null;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}

export class TestSetPath {
  @Id() test_set_id!: number;
}
class ListTestSets extends ListQuery {
  @Str(1, 200) @Optional() tag?: string;
  @OneOf(CONSUMER_KINDS) @Optional() consumer_kind?: ConsumerKind;
}
class CloneTestSet extends TestSetPath {
  @Name() name!: string;
}

const one = '/unified-test-sets/{test_set_id}' as const;

/** Unified test sets (docs/api/tests.md). */
export const testSets = defineContract(
  { name: 'test-sets', service: 'test-runs', tag: 'Unified Test Sets' },
  {
    listTestSets: {
      get: '/unified-test-sets',
      summary: 'List the test sets',
      input: ListTestSets,
      output: page(TestSet),
    },
    createTestSet: {
      post: '/unified-test-sets',
      summary: 'Create a test set',
      errors: ['conflict', 'not_found'],
      input: TestSetBody,
      output: TestSet,
    },
    getTestSet: {
      get: one,
      summary: 'Get a test set',
      input: TestSetPath,
      output: TestSet,
      delivery: { batchable: 'test_set_id' },
    },
    updateTestSet: {
      put: one,
      summary: 'Change a test set',
      errors: ['conflict'],
      input: join(TestSetPath, partial(TestSetBody)),
      output: TestSet,
    },
    deleteTestSet: {
      delete: one,
      summary: 'Delete a test set that no gate policy and no unfinished run names',
      errors: ['conflict'],
      input: TestSetPath,
      output: Deleted,
    },
    cloneTestSet: {
      post: `${one}/clone`,
      summary: 'Copy a test set with its items and overrides',
      errors: ['conflict'],
      input: CloneTestSet,
      output: TestSet,
      delivery: { slow: true },
    },
  },
);
