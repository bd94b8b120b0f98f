import { defineContract } from '../../contract.js';
import { page } from '../../contract/outputs.js';
import { intType, nestedType, oneOfType } from '../../fields/field-types.js';
import {
  Count,
  Default,
  Description,
  Epoch,
  field,
  Id,
  Int,
  join,
  List,
  ListOf,
  MapOf,
  Name,
  Nullable,
  Num,
  OneOf,
  Optional,
  Str,
  Uuid,
} from '../../fields/fields.js';
import { DateRange, Deleted, FAILURE_CLASSES, type FailureClass, ListQuery, PlainSort } from '../../shapes.js';
import { EvaluationResult, type Verdict, VERDICTS } from './evaluation-results.js';
import { SentinelDirective } from './sentinel-directives.js';

export const EVALUATION_RUN_STATUSES = ['PENDING', 'RUNNING', 'DONE', 'ERROR', 'CANCELLED'] as const;
export type EvaluationRunStatus = (typeof EVALUATION_RUN_STATUSES)[number];

const ABOUT_LIMIT = 'At most so many requests are judged: the newest ones';
const ABOUT_OVERRIDES = 'Directives of this run by the id of their sentinel';

@DateRange
class EvaluationBody {
  @Name() @Nullable() @Optional() name?: string | null;
  @Id() application_id!: number;
  @Id() intent_id!: number;
  @Epoch() start_date!: number;
  @Epoch() end_date!: number;
  @List(intType(), 1, 20) @Description('Sentinels of the group of the intent') sentinel_ids!: number[];
  @field(nestedType(() => SentinelDirective, 'map', 0, 20))
  @Default(() => ({}))
  @Description(ABOUT_OVERRIDES)
  sentinel_overrides!: Record<string, SentinelDirective>;
  @Int(1, 100_000) @Nullable() @Optional() @Description(ABOUT_LIMIT) request_limit?: number | null;
}

/** The evaluation of recorded requests by sentinels (docs/api/training.md). */
export class EvaluationRun {
  @Id() id!: number;
  @Name() @Nullable() name!: string | null;
  @Id() application_id!: number;
  @Id() intent_id!: number;
  @Epoch() start_date!: number;
  @Epoch() end_date!: number;
  @List(intType(), 1, 20) sentinel_ids!: number[];
  @field(nestedType(() => SentinelDirective, 'map', 0, 20))
  @Description(ABOUT_OVERRIDES)
  sentinel_overrides!: Record<string, SentinelDirective>;
  @Int(1, 100_000) @Nullable() @Description(ABOUT_LIMIT) request_limit!: number | null;
  @OneOf(EVALUATION_RUN_STATUSES) status!: EvaluationRunStatus;
  @Count() @Description('Requests that were selected when the run started') total_requests!: number;
  @Count() evaluated_requests!: number;
  @Count() pass_count!: number;
  @Count() fault_count!: number;
  @Count() na_count!: number;
  @Count() @Description('Requests with a failed judgement and no fault') error_count!: number;
  @MapOf(intType(0, Number.MAX_SAFE_INTEGER)) @Description('Failed judgements by their class') errors_by_class!: Record<
    string,
    number
  >;
  @Num(0, 1) @Nullable() @Description('Of the requests that passed or are faulty; null without any') pass_rate!:
    number | null;
  @Num(0) @Nullable() cost!: number | null;
  @Str(0, 4000) @Nullable() error_message!: string | null;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
  @Epoch() @Nullable() started_at!: number | null;
  @Epoch() @Nullable() completed_at!: number | null;
}
export class EvaluationEstimate {
  @Count() request_count!: number;
  @Count() judgement_count!: number;
  @Num(0) @Nullable() @Description('Null when a judge model has no price') estimated_cost!: number | null;
}
export class RequestEvaluationResults {
  @Uuid() evaluation_request_id!: string;
  @Uuid() request_id!: string;
  @OneOf(VERDICTS) status!: Verdict;
  @ListOf(() => EvaluationResult, 0, 20) results!: EvaluationResult[];
}

class EvaluationPath {
  @Id() evaluation_id!: number;
}
class ListEvaluations extends ListQuery {
  @OneOf(EVALUATION_RUN_STATUSES) @Optional() status?: EvaluationRunStatus;
  @Id() @Optional() application_id?: number;
  @Id() @Optional() intent_id?: number;
}
class ResetEvaluation extends EvaluationPath {
  @List(oneOfType(FAILURE_CLASSES), 1, FAILURE_CLASSES.length)
  @Optional()
  @Description('Only failed judgements of these classes; default: all')
  classes?: FailureClass[];
}
class RunResultFilter {
  @OneOf(VERDICTS) @Optional() status?: Verdict;
  @Id() @Optional() sentinel_id?: number;
  @OneOf(FAILURE_CLASSES) @Optional() failure_class?: FailureClass;
}
class ListRunResults extends join(join(EvaluationPath, ListQuery), RunResultFilter) {
  @PlainSort() declare sort: string;
}

const one = '/evaluations/{evaluation_id}' as const;

/** Evaluation runs (docs/api/training.md). */
export const evaluations = defineContract(
  { name: 'evaluations', service: 'traffic', tag: 'Evaluations', readsAfter: 'completions' },
  {
    listEvaluations: {
      get: '/evaluations',
      summary: 'List the evaluation runs',
      input: ListEvaluations,
      output: page(EvaluationRun),
    },
    createEvaluation: {
      post: '/evaluations',
      summary: 'Judge recorded requests of an intent by sentinels',
      errors: ['not_found', 'refused'],
      scope: 'invoke',
      input: EvaluationBody,
      output: EvaluationRun,
    },
    estimateEvaluation: {
      post: '/evaluations/estimate',
      summary: 'Count what an evaluation run would judge, and estimate its cost',
      errors: ['not_found', 'refused'],
      scope: 'read',
      input: EvaluationBody,
      output: EvaluationEstimate,
    },
    getEvaluation: {
      get: one,
      summary: 'Get an evaluation run',
      input: EvaluationPath,
      output: EvaluationRun,
      delivery: { batchable: 'evaluation_id' },
    },
    deleteEvaluation: {
      delete: one,
      summary: 'Delete an evaluation run that has ended; its results stay',
      errors: ['conflict'],
      input: EvaluationPath,
      output: Deleted,
    },
    cancelEvaluation: {
      post: `${one}/cancel`,
      summary: 'Cancel an evaluation run; the results it has stored stay',
      scope: 'invoke',
      errors: ['conflict'],
      input: EvaluationPath,
      output: EvaluationRun,
    },
    resetFailed: {
      post: `${one}/reset-failed`,
      summary: 'Repeat the failed judgements of an evaluation run, in the place of their results',
      scope: 'invoke',
      errors: ['conflict'],
      input: ResetEvaluation,
      output: EvaluationRun,
    },
    listRunResults: {
      get: `${one}/results`,
      summary: 'List the results of an evaluation run by request',
      input: ListRunResults,
      output: page(RequestEvaluationResults),
    },
  },
);
