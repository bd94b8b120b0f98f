import { defineContract } from '../../../contract.js';
import { list, page } from '../../../contract/outputs.js';
import { patternType } from '../../../fields/field-types.js';
import {
  Count,
  Default,
  Epoch,
  Id,
  join,
  List,
  ListOf,
  Name,
  Nested,
  Nullable,
  OneOf,
  Optional,
  partial,
  Str,
  Text,
} from '../../../fields/fields.js';
import { Deleted, ListQuery, Message, PlainSort, ToolCall } from '../../../shapes.js';
import { Expected } from './test-data.js';

/** The kinds of sets and runs under the legacy paths; agents do not appear there. */
export const LEGACY_TYPES = ['request', 'workflow'] as const;
export type LegacyType = (typeof LEGACY_TYPES)[number];

const requestId = patternType(
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  'a lower-case UUID',
  'uuid',
);

class LegacySetBody {
  @Name() name!: string;
  @Id() @Nullable() @Optional() intent_group_id?: number | null;
}
/** A test set as `/test-sets` shows it. */
export class LegacyTestSet {
  @Id() id!: number;
  @Name() name!: string;
  @Id() @Nullable() intent_group_id!: number | null;
  @Count() request_count!: number;
  @Epoch() date_created!: number;
}
class SetPath {
  @Id() id!: number;
}
class ListSets extends ListQuery {
  @PlainSort() override sort!: string;
  @OneOf(LEGACY_TYPES) @Default('request') type!: LegacyType;
}
/** An item as `/test-sets/{id}/requests` shows it. */
export class LegacyTestSetRequest {
  @Id() id!: number;
  @Str() @Nullable() request_id!: string | null;
  @ListOf(() => Message) @Nullable() messages!: Message[] | null;
  @Nested(() => Expected) @Nullable() expected_response!: Expected | null;
}
class ListRequests extends ListQuery {
  @PlainSort() override sort!: string;
  @Id() id!: number;
}
class AddRequests extends SetPath {
  @List(requestId, 1, 1000) request_ids!: string[];
}
class SetResponse extends SetPath {
  @Id() request_id!: number;
  @Text(1_000_000) message_content!: string;
  @ListOf(() => ToolCall, 0, 128) @Optional() tool_calls?: ToolCall[];
}
/** The reply of a change of an expected response. */
export class LegacySuccess {
  @OneOf(['success']) status!: 'success';
}

const sets = { path: '/test-sets', successor: '/unified-test-sets' } as const;
const one = { path: '/test-sets/{id}', successor: '/unified-test-sets/{id}' } as const;
const requests = { path: '/test-sets/{id}/requests', successor: '/unified-test-sets/{id}/items' } as const;

/** The legacy view of test sets (docs/api/tests.md): the same rows under their unified ids. */
export const legacyTestSets = defineContract(
  { name: 'legacy-test-sets', service: 'test-runs', tag: 'Legacy' },
  {
    listLegacyTestSets: {
      get: sets.path,
      summary: 'List the test sets of a type',
      input: ListSets,
      output: page(LegacyTestSet),
      http: { deprecatedBy: sets.successor },
    },
    createLegacyTestSet: {
      post: sets.path,
      summary: 'Create a test set for models',
      errors: ['conflict', 'not_found'],
      input: LegacySetBody,
      output: LegacyTestSet,
      http: { deprecatedBy: sets.successor },
    },
    getLegacyTestSet: {
      get: one.path,
      summary: 'Get a test set',
      input: SetPath,
      output: LegacyTestSet,
      http: { deprecatedBy: one.successor },
    },
    updateLegacyTestSet: {
      put: one.path,
      summary: 'Rename a test set or change its intent group',
      errors: ['conflict'],
      input: join(SetPath, partial(LegacySetBody)),
      output: LegacyTestSet,
      http: { deprecatedBy: one.successor },
    },
    deleteLegacyTestSet: {
      delete: one.path,
      summary: 'Delete a test set',
      errors: ['conflict'],
      input: SetPath,
      output: Deleted,
      http: { deprecatedBy: one.successor },
    },
    listLegacyTestSetRequests: {
      get: requests.path,
      summary: 'List the items of a test set that come from requests or workflows',
      input: ListRequests,
      output: page(LegacyTestSetRequest),
      http: { deprecatedBy: requests.successor },
    },
    addLegacyTestSetRequests: {
      post: requests.path,
      summary: 'Import recorded requests: all of them or none',
      errors: ['conflict'],
      input: AddRequests,
      output: list(LegacyTestSetRequest),
      http: { deprecatedBy: '/unified-test-sets/{id}/import-bulk' },
      delivery: { slow: true },
    },
    setLegacyResponse: {
      put: '/test-sets/{id}/requests/{request_id}/response',
      summary: 'Override the expected response of an item',
      input: SetResponse,
      output: LegacySuccess,
      http: { deprecatedBy: '/unified-test-sets/{id}/items/{request_id}/response-sub' },
    },
  },
);
