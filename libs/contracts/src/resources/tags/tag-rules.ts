import { type ConditionGroup, conditionGroupType } from '../../condition-groups.js';
import { defineContract } from '../../contract.js';
import { list, page } from '../../contract/outputs.js';
import {
  Default,
  Description,
  Epoch,
  field,
  Flag,
  Id,
  Int,
  join,
  Name,
  Nullable,
  OneOf,
  Optional,
  partial,
  Text,
  Uuid,
} from '../../fields/fields.js';
import { Deleted, FAILURE_CLASSES, type FailureClass, ListQuery } from '../../shapes.js';
import { RequestFilter } from '../chat/recorded-requests.js';
import { switchEndpoints } from '../switch-endpoints.js';

/** The ways in which a rule decides whether a request gets its tag. */
export const TAG_RULE_METHODS = ['CONDITIONS', 'LLM'] as const;
export type TagRuleMethod = (typeof TAG_RULE_METHODS)[number];

const ABOUT_CONDITIONS = 'CONDITIONS: paths into the Request; the text is that of its messages and its answer';

/** A rule that tags requests (docs/api/events.md). */
export class TagRule {
  @Id() id!: number;
  @Name() rule_name!: string;
  @Id() tag_id!: number;
  @Id() @Nullable() @Description('The rule applies to requests of this application only') application_id!:
    number | null;
  @Id() @Nullable() @Description('The rule applies to requests of this group only') intent_group_id!: number | null;
  @OneOf(TAG_RULE_METHODS) method!: TagRuleMethod;
  @field(conditionGroupType) @Nullable() @Description(ABOUT_CONDITIONS) conditions!: ConditionGroup | null;
  @Text() @Nullable() prompt!: string | null;
  @Flag() @Description('Requests are tagged when they are recorded') apply_to_new!: boolean;
  @Flag() @Description('A disabled rule tags no new requests; tag runs apply it') enabled!: boolean;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}
class TagRuleBody {
  @Name() rule_name!: string;
  @Id() tag_id!: number;
  @Id() @Nullable() @Optional() application_id?: number | null;
  @Id() @Nullable() @Optional() intent_group_id?: number | null;
  @OneOf(TAG_RULE_METHODS) @Default('CONDITIONS') method!: TagRuleMethod;
  @field(conditionGroupType) @Nullable() @Optional() @Description(ABOUT_CONDITIONS) conditions?: ConditionGroup | null;
  @Text() @Nullable() @Optional() @Description('LLM: which requests get the tag') prompt?: string | null;
  @Flag() @Default(true) apply_to_new!: boolean;
  @Flag() @Default(true) enabled!: boolean;
}
class TagRulePath {
  @Id() rule_id!: number;
}
class ListTagRules extends ListQuery {
  @Id() @Optional() tag_id?: number;
  @Flag() @Optional() enabled?: boolean;
}
class PreviewTagRule extends join(TagRulePath, RequestFilter) {
  @Uuid() @Optional() @Description('Only this request is judged') request_id?: string;
  @Int(1, 100) @Default(25) @Description('The newest requests that the filter selects') limit!: number;
}
/** What a rule decides about a request. */
export class TagVerdict {
  @Uuid() request_id!: string;
  @Flag() matched!: boolean;
  @OneOf(FAILURE_CLASSES) @Nullable() failure_class!: FailureClass | null;
}

const one = '/tags/rules/{rule_id}' as const;
const switched = switchEndpoints(one, TagRulePath, TagRule, {
  enable: 'Enable a tag rule',
  disable: 'Disable a tag rule: new requests are not tagged by it',
});

/** Rules that tag requests by conditions or by a model (docs/api/events.md). */
export const tagRules = defineContract(
  { name: 'tag-rules', service: 'traffic', tag: 'Tags', readsAfter: 'completions' },
  {
    listTagRules: { get: '/tags/rules', summary: 'List the tag rules', input: ListTagRules, output: page(TagRule) },
    createTagRule: {
      post: '/tags/rules',
      summary: 'Create a tag rule',
      errors: ['conflict', 'not_found', 'refused'],
      input: TagRuleBody,
      output: TagRule,
    },
    getTagRule: {
      get: one,
      summary: 'Get a tag rule',
      input: TagRulePath,
      output: TagRule,
      delivery: { batchable: 'rule_id' },
    },
    updateTagRule: {
      put: one,
      summary: 'Change a tag rule; tag runs keep the rules with which they were created',
      errors: ['conflict', 'refused'],
      input: join(TagRulePath, partial(TagRuleBody)),
      output: TagRule,
    },
    deleteTagRule: {
      delete: one,
      summary: 'Delete a tag rule; the tags it has assigned stay',
      input: TagRulePath,
      output: Deleted,
    },
    enableTagRule: switched.enable,
    disableTagRule: switched.disable,
    previewTagRule: {
      post: `${one}/preview`,
      summary: 'Judge requests by a tag rule without tagging them',
      scope: 'invoke',
      input: PreviewTagRule,
      output: list(TagVerdict),
      delivery: { slow: true },
    },
  },
);
