import {
  Count,
  Default,
  Description,
  Epoch,
  Flag,
  Id,
  Int,
  Json,
  List,
  ListOf,
  Name,
  Nested,
  Nullable,
  Num,
  OneOf,
  Optional,
  Str,
  Uuid,
} from '../../fields/fields.js';
import { intType, oneOfType } from '../../fields/field-types.js';
import { ERROR_CODES, type ErrorCode, FAILURE_CLASSES, type FailureClass, ListQuery, Usage } from '../../shapes.js';
import { Expected } from './test-sets/test-data.js';

export const RUN_ITEM_STATES = ['PENDING', 'RUNNING', 'COMPLETED', 'FAILED'] as const;
export type RunItemStatus = (typeof RUN_ITEM_STATES)[number];
/** How an item has ended (docs/api/failures.md). */
export const OUTCOMES = ['PASS', 'FAIL', 'ERROR'] as const;
export type Outcome = (typeof OUTCOMES)[number];
/** Where the expectation of a score came from. */
export const EXPECTATION_SOURCES = ['baseline', 'sub', 'none'] as const;
export type ExpectationSource = (typeof EXPECTATION_SOURCES)[number];

export class DiffField {
  @Str(0, 2000) path!: string;
  @OneOf(['match', 'mismatch', 'missing', 'extra']) status!: 'match' | 'mismatch' | 'missing' | 'extra';
  @Json() @Nullable() expected!: unknown;
  @Json() @Nullable() actual!: unknown;
}

export class DiffResult {
  @ListOf(() => DiffField) @Description('The first 1,000 fields, those that differ first') fields!: DiffField[];
  @Count() matched_count!: number;
  @Count() total_count!: number;
  @Num(0, 1) match_rate!: number;
}

export class CriterionResult {
  @Id() criteria_id!: number;
  @Name() name!: string;
  @Num() @Nullable() score!: number | null;
  @Flag() @Nullable() passed!: boolean | null;
  @OneOf(FAILURE_CLASSES) @Nullable() @Optional() failure_class?: FailureClass | null;
  @Str(0, 4000) description!: string;
  @Num() @Optional() @Description('The threshold that the judgement used') threshold?: number;
  @Num() @Optional() @Description('The weight that the judgement used') weight?: number;
}

/** What an attempt called. */
export class SourceRef {
  @Uuid() @Optional() request_id?: string;
  @Uuid() @Optional() workflow_run_id?: string;
  @Uuid() @Optional() agent_task_id?: string;
}

export class RepeatResult {
  @Int(1, 20) repeat!: number;
  @OneOf(['COMPLETED', 'FAILED']) status!: 'COMPLETED' | 'FAILED';
  @OneOf(FAILURE_CLASSES) @Nullable() failure_class!: FailureClass | null;
  @Json() @Nullable() actual_output!: unknown;
  @Flag() @Nullable() matched!: boolean | null;
  @Count() @Nullable() duration_ms!: number | null;
  @Nested(() => SourceRef) @Nullable() source_ref!: SourceRef | null;
}

export class RunItemSummary {
  @Id() id!: number;
  @Id() test_run_id!: number;
  @Id() test_set_item_id!: number;
  @OneOf(RUN_ITEM_STATES) status!: RunItemStatus;
  @OneOf(FAILURE_CLASSES) @Nullable() failure_class!: FailureClass | null;
  @OneOf(ERROR_CODES) @Nullable() error_code!: ErrorCode | null;
  @Str(0, 4000) @Nullable() error_message!: string | null;
  @OneOf(OUTCOMES) @Nullable() outcome!: Outcome | null;
  @Json() @Nullable() adapted_input!: unknown;
  @Json() @Nullable() actual_output!: unknown;
  @Nested(() => Expected) @Nullable() expected_output_used!: Expected | null;
  @OneOf(EXPECTATION_SOURCES) expectation_source!: ExpectationSource;
  @Id() @Nullable() response_sub_id!: number | null;
  @Flag() @Nullable() matched!: boolean | null;
  @Nested(() => DiffResult) @Nullable() diff_result!: DiffResult | null;
  @ListOf(() => CriterionResult) criteria_results!: CriterionResult[];
  @Num(0, 1) @Nullable() @Description('Agreement of the repeats of the item') agreement!: number | null;
  @Count() @Nullable() duration_ms!: number | null;
  @Nested(() => Usage) @Nullable() @Description('Of all repeats') usage!: Usage | null;
  @Num(0) @Nullable() cost!: number | null;
  @Count() attempts!: number;
  @Nested(() => SourceRef) @Nullable() source_ref!: SourceRef | null;
  @Epoch() @Nullable() started_at!: number | null;
  @Epoch() @Nullable() completed_at!: number | null;
  @Epoch() @Nullable() scored_at!: number | null;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}

export class RunItem extends RunItemSummary {
  @ListOf(() => RepeatResult, 0, 20) attempts_results!: RepeatResult[];
}

export class RunItemAttempt {
  @Id() id!: number;
  @Int() attempt!: number;
  @Int(1, 20) repeat!: number;
  @OneOf(['COMPLETED', 'FAILED']) status!: 'COMPLETED' | 'FAILED';
  @OneOf(FAILURE_CLASSES) @Nullable() failure_class!: FailureClass | null;
  @Str(0, 4000) @Nullable() error_message!: string | null;
  @Count() @Nullable() duration_ms!: number | null;
  @Nested(() => SourceRef) @Nullable() source_ref!: SourceRef | null;
  @Epoch() started_at!: number;
  @Epoch() completed_at!: number;
  @Epoch() date_created!: number;
}

/** One score of an item, kept when a later one replaces it. */
export class ItemScore {
  @Id() id!: number;
  @Id() run_item_id!: number;
  @Count() attempt!: number;
  @OneOf(EXPECTATION_SOURCES) expectation_source!: ExpectationSource;
  @Id() @Nullable() response_sub_id!: number | null;
  @Nested(() => Expected) @Nullable() expected_output_used!: Expected | null;
  @Flag() @Nullable() matched!: boolean | null;
  @Nested(() => DiffResult) @Nullable() diff_result!: DiffResult | null;
  @ListOf(() => CriterionResult) criteria_results!: CriterionResult[];
  @OneOf(FAILURE_CLASSES) @Nullable() failure_class!: FailureClass | null;
  @List(intType(), 0, 20)
  @Nullable()
  @Description('The criteria of a score that decides nothing about the run; null for those of the run')
  criteria_ids!: number[] | null;
  @Str(64, 64)
  @Nullable()
  @Description('SHA-256 of output, expectation, criteria and judge: equal ones are judged once')
  judged_sha256!: string | null;
  @Epoch() scored_at!: number;
  @Epoch() date_created!: number;
}

export class TestRunPath {
  @Id() id!: number;
}
export class RunItemPath extends TestRunPath {
  @Id() item_id!: number;
}
export class ListRunItems extends ListQuery {
  @Str(1, 64) @Default('id') declare sort: string;
  @Id() id!: number;
  @List(oneOfType(RUN_ITEM_STATES), 1) @Optional() status?: RunItemStatus[];
  @List(oneOfType(OUTCOMES), 1) @Optional() outcome?: Outcome[];
  @List(oneOfType(FAILURE_CLASSES), 1) @Optional() failure_class?: FailureClass[];
  @Flag() @Optional() matched?: boolean;
}
export class ListItemHistory extends ListQuery {
  @Id() id!: number;
  @Id() item_id!: number;
}
