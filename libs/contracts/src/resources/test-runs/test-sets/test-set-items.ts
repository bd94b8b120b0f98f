import { defineContract } from '../../../contract.js';
import { page } from '../../../contract/outputs.js';
import {
  Count,
  Default,
  Description,
  Epoch,
  Flag,
  Id,
  join,
  Nested,
  Nullable,
  Obj,
  omit,
  OneOf,
  Optional,
  partial,
  Str,
} from '../../../fields/fields.js';
import { Deleted, ListQuery } from '../../../shapes.js';
import { Expected, ResponseSub, TestInput } from './test-data.js';
import { TestSetPath } from './test-sets.js';

export const ITEM_SOURCES = ['MANUAL', 'REQUEST', 'WORKFLOW_RUN', 'AGENT_TASK'] as const;
export type ItemSource = (typeof ITEM_SOURCES)[number];
/** The parts of an agent task's conversation that become an input. */
export const FLATTEN_VARIANTS = ['agent_first_user_message', 'agent_first_user_message_with_system_prompt'] as const;
export type FlattenVariant = (typeof FLATTEN_VARIANTS)[number];

class ItemBody {
  @Nested(() => TestInput) input!: TestInput;
  @Nested(() => Expected) @Nullable() @Optional() expected_output?: Expected | null;
  @Obj() @Default(() => ({})) meta!: Record<string, unknown>;
}

/** An item without its bodies, as events carry it. */
export class TestSetItemRecord {
  @Id() id!: number;
  @Id() test_set_id!: number;
  @Count() position!: number;
  @OneOf(ITEM_SOURCES) source_type!: ItemSource;
  @Str(1, 200) @Nullable() source_id!: string | null;
  @OneOf(FLATTEN_VARIANTS) @Nullable() flatten_variant!: FlattenVariant | null;
  @Str() @Nullable() @Description('SHA-256 of the imported input and output') baseline_hash!: string | null;
  @Obj() meta!: Record<string, unknown>;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}

/** One input with its expected output (docs/api/tests.md). */
export class TestSetItem extends TestSetItemRecord {
  @Nested(() => TestInput) input!: TestInput;
  @Nested(() => Expected) @Nullable() expected_output!: Expected | null;
  @Nested(() => ResponseSub) @Nullable() response_sub!: ResponseSub | null;
  @Nested(() => Expected)
  @Nullable()
  @Description('The override, else the baseline')
  effective_expected_output!: Expected | null;
}

export class ListedTestSetItem extends omit(TestSetItem, 'input') {
  @Nested(() => TestInput) @Nullable() @Description('Null when bodies_omitted is true') input!: TestInput | null;
  @Flag()
  @Description('True when input and outputs are left out because the item has more than 32 kB; read it alone')
  bodies_omitted!: boolean;
}

class ItemPath extends TestSetPath {
  @Id() item_id!: number;
}
class ItemsQuery extends ListQuery {
  @Id() test_set_id!: number;
  @Str(1, 64) @Default('position') declare sort: string;
}
class SearchItems extends ItemsQuery {
  @OneOf(ITEM_SOURCES) @Optional() source_type?: ItemSource;
  @Flag() @Optional() @Description('Whether the item has an override') has_sub?: boolean;
  @Str(1, 200) @Optional() @Description('Found in input, expected output or override') text?: string;
}
class SetResponseSub extends ItemPath {
  @Nested(() => Expected) expected_output!: Expected;
  @Str(0, 2000) @Nullable() @Optional() note?: string | null;
}

const items = '/unified-test-sets/{test_set_id}/items' as const;
const item = '/unified-test-sets/{test_set_id}/items/{item_id}' as const;
const sub = '/unified-test-sets/{test_set_id}/items/{item_id}/response-sub' as const;

/** Items of test sets and the overrides of their expected outputs (docs/api/tests.md). */
export const testSetItems = defineContract(
  { name: 'test-set-items', service: 'test-runs', tag: 'Unified Test Sets' },
  {
    listTestSetItems: {
      get: items,
      summary: 'List the items of a test set in their order',
      input: ItemsQuery,
      output: page(ListedTestSetItem),
    },
    searchTestSetItems: {
      post: `${items}/search`,
      summary: 'Search the items of a test set',
      scope: 'read',
      input: SearchItems,
      output: page(ListedTestSetItem),
    },
    createTestSetItem: {
      post: items,
      summary: 'Add an item to a test set',
      errors: ['conflict'],
      input: join(TestSetPath, ItemBody),
      output: TestSetItem,
      http: { body: 'large' },
    },
    getTestSetItem: { get: item, summary: 'Get an item', input: ItemPath, output: TestSetItem },
    updateTestSetItem: {
      put: item,
      summary: 'Change an item; input and expected output only of a manual one',
      errors: ['conflict'],
      input: join(ItemPath, partial(ItemBody)),
      output: TestSetItem,
      http: { body: 'large' },
    },
    deleteTestSetItem: { delete: item, summary: 'Delete an item', input: ItemPath, output: Deleted },
    getResponseSub: {
      get: sub,
      summary: "Get the override of an item's expected output",
      input: ItemPath,
      output: ResponseSub,
    },
    setResponseSub: {
      put: sub,
      summary: "Override an item's expected output; the baseline stays",
      input: SetResponseSub,
      output: TestSetItem,
      http: { body: 'large' },
    },
    deleteResponseSub: {
      delete: sub,
      summary: "Remove the override of an item's expected output; the baseline applies again",
      input: ItemPath,
      output: Deleted,
    },
  },
);
