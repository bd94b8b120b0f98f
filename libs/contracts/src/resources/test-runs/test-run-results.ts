import {
  Count,
  Default,
  Description,
  field,
  Flag,
  Id,
  Int,
  Json,
  List,
  ListOf,
  MapOf,
  Name,
  Nested,
  Nullable,
  Num,
  OneOf,
  Optional,
  Str,
} from '../../fields/fields.js';
import { intType, nestedType, objType, stringType } from '../../fields/field-types.js';
import { FAILURE_CLASSES, type FailureClass, Usage } from '../../shapes.js';
import { CONSUMER_KINDS, type ConsumerKind } from './test-sets/test-data.js';
import { ConsumerConfigSchema } from './test-run-consumers.js';
import { OUTCOMES, type Outcome } from './test-run-items.js';
import { RunScoring, RunTotals } from './test-run-records.js';
import { SCORING_STATES, type ScoringStatus, TEST_RUN_STATES, type TestRunStatus } from './test-run-states.js';

const countsByClass = (): PropertyDecorator => MapOf(intType(0));

/** Percentiles of the durations of items, in milliseconds; null while no item has ended. */
export class DurationSummary {
  @Num(0) @Nullable() min!: number | null;
  @Num(0) @Nullable() avg!: number | null;
  @Num(0) @Nullable() p50!: number | null;
  @Num(0) @Nullable() p90!: number | null;
  @Num(0) @Nullable() p95!: number | null;
  @Num(0) @Nullable() p99!: number | null;
  @Num(0) @Nullable() max!: number | null;
}

export class RunProgress {
  @OneOf(TEST_RUN_STATES) status!: TestRunStatus;
  @Count() total!: number;
  @Count() pending!: number;
  @Count() running!: number;
  @Count() completed!: number;
  @Count() failed!: number;
  @countsByClass() failed_by_class!: Partial<Record<FailureClass, number>>;
  @Num(0, 100) percent_complete!: number;
  @Nested(() => RunScoring) @Nullable() scoring!: RunScoring | null;
  @Nested(() => DurationSummary) duration_ms!: DurationSummary;
}

export class CriterionSummary {
  @Id() criteria_id!: number;
  @Name() name!: string;
  @Num() @Nullable() avg_score!: number | null;
  @Num(0, 1) @Nullable() pass_rate!: number | null;
  @Count() errors!: number;
}

/** The result of scoring a run; while its status is SCORING, what was scored so far. */
export class ScoreSummary extends RunTotals {
  @OneOf(SCORING_STATES) status!: ScoringStatus;
  @Flag() @Optional() @Description('True for a run that is not completed: no gate accepts it') partial?: boolean;
  @Count() total!: number;
  @Count() scored!: number;
  @Count() matched!: number;
  @Count() mismatched!: number;
  @Count() unscored!: number;
  @Count() errors!: number;
  @countsByClass() errors_by_class!: Partial<Record<FailureClass, number>>;
  @Num(0, 1) @Nullable() match_rate!: number | null;
  @Num(0, 1) @Nullable() @Description('By the weights of the criteria') weighted_score!: number | null;
  @ListOf(() => CriterionSummary) criteria!: CriterionSummary[];
}

/** Why an item does not pass: a criterion that it does not meet, or that could not judge it. */
export class UnmetCriterion {
  @Id() criteria_id!: number;
  @Name() name!: string;
  @Flag() @Nullable() @Description('Null when the criterion could not judge') passed!: boolean | null;
  @Str(0, 300) @Description('The beginning of the description') description!: string;
}

export class ComparedOutcome {
  @Id() run_item_id!: number;
  @OneOf(OUTCOMES) @Nullable() outcome!: Outcome | null;
  @Flag() @Nullable() matched!: boolean | null;
  @OneOf(FAILURE_CLASSES) @Nullable() failure_class!: FailureClass | null;
  @Count() @Nullable() duration_ms!: number | null;
  @Nested(() => Usage) @Nullable() usage!: Usage | null;
  @Num(0) @Nullable() cost!: number | null;
  @ListOf(() => UnmetCriterion, 0, 5) @Description('The first criteria that it does not meet') unmet!: UnmetCriterion[];
}

export class ComparedItem {
  @Id() test_set_item_id!: number;
  @field(nestedType(() => ComparedOutcome, 'map')) results!: Record<string, ComparedOutcome>;
  @Flag() changed!: boolean;
}

export class ComparedRun extends RunTotals {
  @Id() id!: number;
  @Num(0, 1) @Nullable() match_rate!: number | null;
}

/** What the difference between two runs shows; `too_few` below eight compared items. */
export const COMPARISON_VERDICTS = ['better', 'worse', 'no_difference_shown', 'too_few'] as const;

/**
 * The difference of a run to the first one, over the items that both have scored. The value of an item is the mean over
 * its repeats.
 */
export class RunDifference {
  @Id() test_run_id!: number;
  @Id() base_run_id!: number;
  @Id() @Nullable() @Description('Null for the match rate in all') criteria_id!: number | null;
  @Name() name!: string;
  @Num() @Nullable() difference!: number | null;
  @Num()
  @Nullable()
  @Description('Of the interval that belongs to `p_value`: it leaves out 0 exactly when that is below 1 − confidence')
  low!: number | null;
  @Num() @Nullable() high!: number | null;
  @OneOf(COMPARISON_VERDICTS) verdict!: (typeof COMPARISON_VERDICTS)[number];
  @Str()
  @Description(
    '`mcnemar_tango` for yes-or-no results without repeats, else `paired_t`; ends in `, Holm` when several differences are tested together',
  )
  method!: string;
  @Count() @Description('The number of items in both runs') n!: number;
  @Num(0, 1)
  @Nullable()
  @Description('Two-sided, adjusted by the method of Holm over the differences of the reply; null for `too_few`')
  p_value!: number | null;
}

/** Runs over the same set, item by item. */
export class RunComparison {
  @ListOf(() => ComparedRun) runs!: ComparedRun[];
  @ListOf(() => ComparedItem) items!: ComparedItem[];
  @Count() @Description('The number of items that the filter leaves') total!: number;
  @ListOf(() => RunDifference) @Optional() @Description('With `confidence`') differences?: RunDifference[];
}

export const COMPARISON_DIRECTIONS = ['worse', 'better', 'error', 'changed'] as const;

export class CompareTestRuns {
  @List(intType(), 2, 10) test_run_ids!: number[];
  @Int(0, Number.MAX_SAFE_INTEGER) @Default(0) offset!: number;
  @Int(1, 100) @Default(25) limit!: number;
  @OneOf(COMPARISON_DIRECTIONS) @Optional() direction?: (typeof COMPARISON_DIRECTIONS)[number];
  @Num(0.5, 0.999) @Optional() confidence?: number;
}

export class PreviewAdaptedInput {
  @Id() test_set_item_id!: number;
  @OneOf(CONSUMER_KINDS) consumer_kind!: ConsumerKind;
  @field(objType(undefined, ConsumerConfigSchema)) consumer_config!: Record<string, unknown>;
}

export class FieldProblem {
  @Str(0, 2000) field!: string;
  @Str(0, 4000) message!: string;
}

/** What an item becomes for a consumer. */
export class AdaptedInputPreview {
  @Json() @Optional() adapted_input?: unknown;
  @List(stringType(0, 1000)) warnings!: string[];
  @ListOf(() => FieldProblem) errors!: FieldProblem[];
}
