import { defineContract } from '../../contract.js';
import { list, page } from '../../contract/outputs.js';
import {
  Count,
  Epoch,
  field,
  Id,
  Int,
  join,
  Name,
  Nested,
  Nullable,
  Num,
  OneOf,
  omit,
  Optional,
  Str,
  Text,
  Uuid,
} from '../../fields/fields.js';
import { intType } from '../../fields/field-types.js';
import { DateRange, FAILURE_CLASSES, type FailureClass, ListQuery, Usage } from '../../shapes.js';
import { RequestPath } from '../paths.js';

/** The verdicts of a sentinel about a request. */
export const VERDICTS = ['PASS', 'FAULT', 'ERROR', 'NA'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Ids of results outgrow 32 bits within weeks of a thousand judgements a second. */
export const resultIdType = intType(1, Number.MAX_SAFE_INTEGER);

/** The result of one sentinel for a request (docs/api/training.md). */
export class EvaluationResult {
  @field(resultIdType) id!: number;
  @Uuid() evaluation_request_id!: string;
  @Id() @Nullable() evaluation_id!: number | null;
  @Uuid() request_id!: string;
  @Str(1, 128) @Nullable() session_id!: string | null;
  @Id() @Nullable() application_id!: number | null;
  @Id() @Nullable() intent_id!: number | null;
  @Id() @Nullable() intent_group_id!: number | null;
  @Id() sentinel_id!: number;
  @Name() sentinel_name!: string;
  @Count() severity!: number;
  @OneOf(VERDICTS) status!: Verdict;
  @OneOf(FAILURE_CLASSES) @Nullable() failure_class!: FailureClass | null;
  @Text() description!: string;
  @Num(0, 1) @Nullable() confidence!: number | null;
  @Text() @Nullable() correction!: string | null;
  @Count() eval_time_ms!: number;
  @Nested(() => Usage) usage!: Usage;
  @Epoch() date_created!: number;
}
/** A judgement that is not stored. */
export class EvaluationTrial extends omit(EvaluationResult, 'id', 'request_id', 'date_created') {
  @Uuid() @Nullable() request_id!: string | null;
}

@DateRange
export class ResultFilter {
  @OneOf(VERDICTS) @Optional() status?: Verdict;
  @Id() @Optional() sentinel_id?: number;
  @Id() @Optional() application_id?: number;
  @Id() @Optional() intent_id?: number;
  @Id() @Optional() intent_group_id?: number;
  @Int(1, 4) @Optional() severity?: number;
  @OneOf(FAILURE_CLASSES) @Optional() failure_class?: FailureClass;
  @Epoch() @Optional() start_date?: number;
  @Epoch() @Optional() end_date?: number;
}
class ListResults extends join(ListQuery, ResultFilter) {}

/** Results of sentinels, of live traffic and of evaluation runs (docs/api/training.md). */
export const evaluationResults = defineContract(
  { name: 'evaluation-results', service: 'traffic', tag: 'Evaluations', readsAfter: 'completions' },
  {
    listEvaluationResults: {
      get: '/evaluations/results',
      summary: 'List the results of sentinels',
      input: ListResults,
      output: page(EvaluationResult),
    },
    searchEvaluationResults: {
      post: '/evaluations/results/search',
      summary: 'Search the results of sentinels',
      scope: 'read',
      input: ListResults,
      output: page(EvaluationResult),
    },
    listResultsOfRequest: {
      get: '/evaluations/results/request/{request_id}',
      summary: 'List the newest 1,000 results of one request',
      input: RequestPath,
      output: list(EvaluationResult),
    },
  },
);
