import { Checked } from '../../fields/checks.js';
import { defineContract } from '../../contract.js';
import { page } from '../../contract/outputs.js';
import type { Detail } from '../../errors.js';
import {
  Default,
  Description,
  Epoch,
  Flag,
  Id,
  Int,
  join,
  Json,
  ListOf,
  Name,
  Nested,
  Nullable,
  Obj,
  OneOf,
  Optional,
  partial,
  Str,
  Text,
  Uuid,
} from '../../fields/fields.js';
import { Deleted, ListQuery, Message, ON_OFF, type OnOff, PlainSort, TimedListQuery } from '../../shapes.js';
import { EvaluationResult, EvaluationTrial, type Verdict, VERDICTS } from './evaluation-results.js';

/** How the qualification and the correction of a sentinel work. */
const STEP_TYPES = ['STATIC', 'LLM'] as const;

class DirectiveExample {
  @OneOf(['PASS', 'FAULT', 'NA']) example_type!: 'PASS' | 'FAULT' | 'NA';
  @Text() example_body!: string;
}
class DirectiveQualification {
  @OneOf(STEP_TYPES) @Description('STATIC = a pattern (RE2), LLM = the judge decides') type!: 'STATIC' | 'LLM';
  @Str(1, 20_000)
  @Description(
    'STATIC: a pattern that the text of messages or answer matches when the request is to be judged; LLM: which requests are to be judged. Other requests are NA',
  )
  instruction!: string;
}
class DirectiveCorrection {
  @OneOf(STEP_TYPES) @Description('STATIC = a fixed text, LLM = a model writes it') type!: 'STATIC' | 'LLM';
  @Str(1, 20_000)
  @Description('STATIC: the text that replaces a faulty answer; LLM: how a faulty answer is corrected')
  instruction!: string;
}
/** The parts of a request that the judge receives; its answer is always among them. */
export class IncludeOptions {
  @Flag() @Default(true) system_prompt!: boolean;
  @Flag() @Default(true) @Description('The messages before the last one of the user') context!: boolean;
  @Flag() @Default(true) @Description('The last message of the user and what follows it') input!: boolean;
  @Flag() @Default(true) @Description('Tool calls, their results and the declared tools') tool_calls!: boolean;
  @Flag() @Default(true) @Description('The requested response format') json_schema!: boolean;
}
/** What a judge receives when a directive does not say otherwise. */
export const includeAll = (): IncludeOptions => ({
  system_prompt: true,
  context: true,
  input: true,
  tool_calls: true,
  json_schema: true,
});

/** What a sentinel looks for in answers, and how a faulty one is corrected. */
export class SentinelDirective {
  @Str(1, 20_000) instruction!: string;
  @ListOf(() => DirectiveExample, 0, 50) @Default(() => []) examples!: DirectiveExample[];
  @Nested(() => DirectiveQualification) @Nullable() @Default(null) qualification!: DirectiveQualification | null;
  @Nested(() => DirectiveCorrection) @Nullable() @Default(null) correction!: DirectiveCorrection | null;
  @Nested(() => IncludeOptions) @Default(includeAll) include_options!: IncludeOptions;
}

const ABOUT_META =
  'Known keys: `model` (default: the judge model of the company), `temperature`, `sample_rate` (percent)';

/** A watcher over the answers of an intent group (api.md 2.7). */
export class Sentinel {
  @Id() id!: number;
  @Name() sentinel_name!: string;
  @Int(1, 4) @Description('1 = INFO, 2 = WARN, 3 = ERROR, 4 = FATAL') severity!: number;
  @Id() intent_group_id!: number;
  @Nested(() => SentinelDirective) sentinel_directive!: SentinelDirective;
  @Obj() @Description(ABOUT_META) meta!: Record<string, unknown>;
  @OneOf(ON_OFF) state!: OnOff;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}

class SentinelBody {
  @Name() sentinel_name!: string;
  @Int(1, 4) severity!: number;
  @Id() intent_group_id!: number;
  @Nested(() => SentinelDirective) sentinel_directive!: SentinelDirective;
  @Obj() @Default(() => ({})) @Description(ABOUT_META) meta!: Record<string, unknown>;
  @OneOf(ON_OFF) @Default('ENABLED') state!: OnOff;
}
class SentinelPath {
  @Id() sentinel_id!: number;
}
/** A change of a directive: given fields are replaced, others stay. */
export class DirectiveChange extends partial(SentinelDirective) {}
class UpdateSentinel extends SentinelPath {
  @Name() @Optional() sentinel_name?: string;
  @Int(1, 4) @Optional() severity?: number;
  @Nested(() => DirectiveChange) @Optional() sentinel_directive?: DirectiveChange;
  @Obj() @Optional() @Description(ABOUT_META) meta?: Record<string, unknown>;
}
class ListSentinels extends ListQuery {
  @Id() @Optional() intent_group_id?: number;
  @Int(1, 4) @Optional() severity?: number;
  @OneOf(ON_OFF) @Optional() state?: OnOff;
}

function testedProblem({ request_id, messages, response }: TestSentinel): Detail | undefined {
  if (request_id !== undefined)
    return messages === undefined && response === undefined
      ? undefined
      : { field: 'request_id', message: 'cannot be combined with messages and response' };
  if (messages === undefined && response === undefined)
    return { field: 'request_id', message: 'is required when messages and response are absent' };
  if (messages === undefined) return { field: 'messages', message: 'is required with response' };
  return response === undefined ? { field: 'response', message: 'is required with messages' } : undefined;
}

@Checked(testedProblem)
class TestSentinel extends SentinelPath {
  @Uuid() @Optional() request_id?: string;
  @ListOf(() => Message, 1, 1000) @Optional() messages?: Message[];
  @Json(65_536) @Optional() @Description('The judged answer: a text or a message') response?: unknown;
}
class GenerateSentinel {
  @Id() intent_group_id!: number;
  @Str(1, 4000) prompt!: string;
}
/** A proposed sentinel, which is not stored. */
export class GeneratedSentinel {
  @Name() sentinel_name!: string;
  @Int(1, 4) severity!: number;
  @Nested(() => SentinelDirective) sentinel_directive!: SentinelDirective;
}
class ResultsOfSentinel extends join(SentinelPath, TimedListQuery) {
  @OneOf(VERDICTS) @Optional() status?: Verdict;
}
class OfIntentGroup extends ListQuery {
  @PlainSort() override sort!: string;
  @Id() intent_group_id!: number;
}

const one = '/sentinels/{sentinel_id}' as const;

/** Sentinels (api.md 2.7). */
export const sentinels = defineContract(
  { name: 'sentinels', service: 'traffic', tag: 'Sentinels', readsAfter: 'completions' },
  {
    listSentinels: { get: '/sentinels', summary: 'List the sentinels', input: ListSentinels, output: page(Sentinel) },
    createSentinel: {
      post: '/sentinels',
      summary: 'Create a sentinel over the answers of an intent group',
      errors: ['conflict', 'not_found', 'refused'],
      input: SentinelBody,
      output: Sentinel,
    },
    generateSentinel: {
      post: '/sentinels/generate',
      summary: 'Propose a sentinel for a description, without storing it',
      errors: ['not_found', 'bad_upstream'],
      scope: 'invoke',
      slow: true,
      input: GenerateSentinel,
      output: GeneratedSentinel,
    },
    getSentinel: {
      get: one,
      summary: 'Get a sentinel',
      batchable: 'sentinel_id',
      input: SentinelPath,
      output: Sentinel,
    },
    updateSentinel: {
      put: one,
      summary: 'Change a sentinel; evaluation runs keep the sentinels with which they were created',
      errors: ['conflict', 'refused'],
      input: UpdateSentinel,
      output: Sentinel,
    },
    deleteSentinel: {
      delete: one,
      summary: 'Delete a sentinel; its results stay',
      input: SentinelPath,
      output: Deleted,
    },
    enableSentinel: {
      put: `${one}/enable`,
      verb: true,
      summary: 'Enable a sentinel',
      input: SentinelPath,
      output: Sentinel,
    },
    disableSentinel: {
      put: `${one}/disable`,
      verb: true,
      summary: 'Disable a sentinel: new traffic is not judged by it',
      input: SentinelPath,
      output: Sentinel,
    },
    testSentinel: {
      post: `${one}/test`,
      summary: 'Judge a recorded request, or messages and an answer, without storing anything',
      errors: ['conflict'],
      scope: 'invoke',
      slow: true,
      input: TestSentinel,
      output: EvaluationTrial,
    },
    listSentinelResults: {
      get: `${one}/results`,
      summary: 'List the results of a sentinel',
      input: ResultsOfSentinel,
      output: page(EvaluationResult),
    },
    listIntentGroupSentinels: {
      get: '/intent-groups/{intent_group_id}/sentinels',
      summary: 'List the sentinels of an intent group',
      input: OfIntentGroup,
      output: page(Sentinel),
    },
  },
);
