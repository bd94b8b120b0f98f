import { defineContract } from '../../contract.js';
import { page } from '../../contract/outputs.js';
import { intType } from '../../fields/field-types.js';
import {
  Count,
  Default,
  Description,
  Epoch,
  Id,
  List,
  Nested,
  Nullable,
  OneOf,
  Optional,
  Str,
} from '../../fields/fields.js';
import { ListQuery } from '../../shapes.js';
import { RequestFilter } from '../chat/recorded-requests.js';

export const TAG_RUN_STATUSES = ['PENDING', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;
export type TagRunStatus = (typeof TAG_RUN_STATUSES)[number];

const ABOUT_FILTERS = 'Synthetic requests are left out unless `request_type` asks for them';

/** The application of tag rules to recorded requests (docs/api/events.md). */
export class TagRun {
  @Id() id!: number;
  @List(intType(1)) rule_ids!: number[];
  @Nested(() => RequestFilter) @Description(ABOUT_FILTERS) filters!: RequestFilter;
  @OneOf(TAG_RUN_STATUSES) status!: TagRunStatus;
  @Count() @Description('Requests that the filters selected when the run started') total_requests!: number;
  @Count() processed!: number;
  @Count() @Description('Requests that got at least one tag they did not have') tagged!: number;
  @Count() @Description('Judgements that failed; their requests stay untagged') errors!: number;
  @Str() @Nullable() error_message!: string | null;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
  @Epoch() @Nullable() started_at!: number | null;
  @Epoch() @Nullable() completed_at!: number | null;
}
class TagRunBody {
  @List(intType(1), 1, 20) rule_ids!: number[];
  @Nested(() => RequestFilter) @Default(() => ({})) @Description(ABOUT_FILTERS) filters!: RequestFilter;
}
class TagRunPath {
  @Id() run_id!: number;
}
class ListTagRuns extends ListQuery {
  @OneOf(TAG_RUN_STATUSES) @Optional() status?: TagRunStatus;
}

const one = '/tags/runs/{run_id}' as const;

/** Runs of tag rules over recorded requests (docs/api/events.md). */
export const tagRuns = defineContract(
  { name: 'tag-runs', service: 'traffic', tag: 'Tags', readsAfter: 'completions' },
  {
    listTagRuns: { get: '/tags/runs', summary: 'List the tag runs', input: ListTagRuns, output: page(TagRun) },
    createTagRun: {
      post: '/tags/runs',
      summary: 'Apply tag rules to recorded requests; a run removes no tag',
      scope: 'invoke',
      errors: ['not_found'],
      input: TagRunBody,
      output: TagRun,
    },
    getTagRun: {
      get: one,
      summary: 'Get a tag run',
      input: TagRunPath,
      output: TagRun,
      delivery: { batchable: 'run_id' },
    },
    cancelTagRun: {
      post: `${one}/cancel`,
      summary: 'Cancel a tag run; the tags it has assigned stay',
      scope: 'invoke',
      errors: ['conflict'],
      input: TagRunPath,
      output: TagRun,
    },
  },
);
