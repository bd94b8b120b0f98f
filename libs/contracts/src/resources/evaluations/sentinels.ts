import { Checked } from '../../fields/checks.js';
import { defineContract } from '../../contract.js';
import { page } from '../../contract/outputs.js';
import type { Detail } from '../../errors.js';
import {
  Default,
  Description,
  Epoch,
  Id,
  Int,
  join,
  Json,
  ListOf,
  Name,
  Nested,
  Obj,
  OneOf,
  Optional,
  Str,
  Uuid,
} from '../../fields/fields.js';
import { Deleted, ListQuery, Message, ON_OFF, type OnOff, PlainSort, TimedListQuery } from '../../shapes.js';
import { EvaluationResult, EvaluationTrial, type Verdict, VERDICTS } from './evaluation-results.js';
import { SentinelDirective, DirectiveChange } from './sentinel-directives.js';
import { switchEndpoints } from '../switch-endpoints.js';

const ABOUT_META =
  'Known keys: `model` (default: the judge model of the company), `temperature`, `sample_rate` (percent)';

/** A watcher over the answers of an intent group (docs/api/monitors.md). */
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
const switched = switchEndpoints(one, SentinelPath, Sentinel, {
  enable: 'Enable a sentinel',
  disable: 'Disable a sentinel: new traffic is not judged by it',
});

/** Sentinels (docs/api/monitors.md). */
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
      input: GenerateSentinel,
      output: GeneratedSentinel,
      delivery: { slow: true },
    },
    getSentinel: {
      get: one,
      summary: 'Get a sentinel',
      input: SentinelPath,
      output: Sentinel,
      delivery: { batchable: 'sentinel_id' },
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
    enableSentinel: switched.enable,
    disableSentinel: switched.disable,
    testSentinel: {
      post: `${one}/test`,
      summary: 'Judge a recorded request, or messages and an answer, without storing anything',
      errors: ['conflict'],
      scope: 'invoke',
      input: TestSentinel,
      output: EvaluationTrial,
      delivery: { slow: true },
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
