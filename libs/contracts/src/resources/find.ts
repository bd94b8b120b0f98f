import { defineContract } from '../contract.js';
import type { Scope } from '../contract/caller.js';
import { list } from '../contract/outputs.js';
import { oneOfType } from '../fields/field-types.js';
import { Default, Description, Int, Json, List, Nested, Nullable, OneOf, Optional, Str } from '../fields/fields.js';

/** What can be found: the singular names of the families of events, and what has names or ids below them. */
export const FOUND_TYPES = [
  'application',
  'intent',
  'intent_group',
  'agent',
  'agent_action',
  'agent_task',
  'mcp_server',
  'workflow',
  'workflow_run',
  'monitor',
  'sentinel',
  'session',
  'request',
  'dataset',
  'composition',
  'finetune_run',
  'test_set',
  'test_run',
  'evaluation_criteria',
  'evaluation_run',
  'model',
  'model_provider',
  'tag',
  'tag_rule',
  'tag_run',
  'api_key',
  'webhook',
] as const;
export type FoundType = (typeof FOUND_TYPES)[number];

/** What only callers with a scope beyond `read` find: that of its GET. */
export const SCOPES_OF_FOUND: Partial<Record<FoundType, Scope>> = { api_key: 'admin' };

export class FoundParent {
  @OneOf(FOUND_TYPES) type!: FoundType;
  @Json() id!: number | string;
  @Str() @Nullable() name!: string | null;
}
export class Found {
  @OneOf(FOUND_TYPES) type!: FoundType;
  @Json() id!: number | string;
  @Str() @Nullable() @Description('Null for what has only an id') name!: string | null;
  @Nested(() => FoundParent) @Nullable() parent!: FoundParent | null;
  @Str() @Description('Below the base URL of the API') url_path!: string;
}
class FindQuery {
  @Str(1, 200) @Description('The beginning of a name or of a word in it, or a whole id') q!: string;
  @List(oneOfType(FOUND_TYPES), 1) @Optional() types?: FoundType[];
  @Int(1, 100) @Default(25) limit!: number;
}
/** A found resource with its place among the results: 0 for an id, then whole names, beginnings and words. */
export class RankedFound extends Found {
  @Int(0, 3) rank!: number;
}

/** Names and ids over all families (docs/api/README.md). */
export const find = defineContract(
  { name: 'find', service: 'traffic', tag: 'Search and Help', readsAfter: 'completions' },
  {
    findResources: {
      get: '/find',
      summary: 'Find resources of any family by name or id',
      input: FindQuery,
      output: list(Found),
    },
  },
);

/** Internal: the same over the families of one service. */
export const namesOf = (service: string) =>
  defineContract(
    { name: `names-${service}`, service, tag: 'Internal' },
    {
      findNames: {
        summary: `Find resources of ${service} by name or id`,
        input: FindQuery,
        output: list(RankedFound),
      },
    },
  );
