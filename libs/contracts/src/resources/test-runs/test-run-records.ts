import {
  Count,
  Description,
  Epoch,
  field,
  Flag,
  Id,
  Int,
  List,
  Name,
  Nested,
  Nullable,
  Num,
  Obj,
  OneOf,
  SemVer,
  Str,
} from '../../fields/fields.js';
import { intType, objType } from '../../fields/field-types.js';
import { StreamFrame, Usage } from '../../shapes.js';
import { CONSUMER_KINDS, type ConsumerKind } from './test-sets/test-data.js';
import { ConsumerConfigSchema } from './test-run-consumers.js';
import { SCORING_STATES, type ScoringStatus, TEST_RUN_STATES, type TestRunStatus } from './test-run-states.js';

export class RunScoring {
  @OneOf(SCORING_STATES) status!: ScoringStatus;
  @Count() scored!: number;
  @Count() total!: number;
}

/** The criteria by which the scores of a run were made. */
export class ScoredWith {
  @List(intType(), 0, 20) criteria_ids!: number[];
  @Str(64, 64) definitions_sha256!: string;
}

/** The median and the 95th percentile of the durations of items, in milliseconds. */
export class TypicalDuration {
  @Num(0) p50!: number;
  @Num(0) p95!: number;
}

/** What the items of a run have used, without what their judges have. */
export class RunTotals {
  @Nested(() => Usage) @Nullable() usage!: Usage | null;
  @Num(0) @Nullable() @Description('In US dollars; null when a model has no price') cost!: number | null;
  @Nested(() => TypicalDuration) @Nullable() duration_ms!: TypicalDuration | null;
}

/** One execution of a test set against a consumer. */
export class TestRun extends RunTotals {
  @Id() id!: number;
  @Id() test_set_id!: number;
  @Name() @Nullable() name!: string | null;
  @Str() @Nullable() description!: string | null;
  @Obj() meta!: Record<string, unknown>;
  @OneOf(CONSUMER_KINDS) consumer_kind!: ConsumerKind;
  @field(objType(undefined, ConsumerConfigSchema)) consumer_config!: Record<string, unknown>;
  @Id() @Nullable() @Description('Null for EXTERNAL without an agent') consumer_id!: number | null;
  @SemVer() @Nullable() consumer_version!: string | null;
  @OneOf(TEST_RUN_STATES) status!: TestRunStatus;
  @List(intType(), 0, 20) criteria_ids!: number[];
  @Flag() auto_score!: boolean;
  @Int(1, 20) repeats!: number;
  @Count() total_items!: number;
  @Count() completed_items!: number;
  @Count() failed_items!: number;
  @Count() @Nullable() matched_items!: number | null;
  @Num(0, 1) @Nullable() match_rate!: number | null;
  @Epoch() @Nullable() prepared_at!: number | null;
  @Epoch() @Nullable() started_at!: number | null;
  @Epoch() @Nullable() completed_at!: number | null;
  @Epoch() @Nullable() scored_at!: number | null;
  @Epoch() @Nullable() cancelled_at!: number | null;
  @Nested(() => ScoredWith) @Nullable() scored_with!: ScoredWith | null;
  @Nested(() => RunScoring) @Nullable() scoring!: RunScoring | null;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}

export class PreparedTestRun extends TestRun {
  @Count() item_count!: number;
}

export class ResetTestRun extends TestRun {
  @Count() reset_count!: number;
}

export class TestRunStreamEvent extends StreamFrame {
  @Id() run_id!: number;
}
