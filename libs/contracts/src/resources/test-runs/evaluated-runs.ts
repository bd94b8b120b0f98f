import { defineContract } from '../../contract.js';
import {
  Default,
  Description,
  Flag,
  Id,
  Int,
  ListOf,
  Nested,
  Nullable,
  Num,
  Optional,
  Slug,
} from '../../fields/fields.js';
import { Secrets } from '../../shapes.js';
import { GateResult } from '../../versions/releases.js';
import { RunDifference, ScoreSummary } from './test-run-results.js';
import { TestRun } from './test-run-records.js';
import { CreateTestRun } from './test-runs.js';

/** The longest wait for the scores of a run. */
const MAX_WAIT_SECONDS = 120;

class RunTestSet extends CreateTestRun {
  @Flag() @Default(true) declare auto_score: boolean;
  @Int(1, 100) @Default(4) concurrency!: number;
  @Secrets() @Default(() => ({})) secrets!: Record<string, string>;
  @Int(0, MAX_WAIT_SECONDS) @Default(60) wait_seconds!: number;
  @Slug()
  @Optional()
  @Description(
    'The release of the agent or workflow whose gate judges the version; without a version in consumer_config, also the version that is run',
  )
  release?: string;
  @Id()
  @Optional()
  @Description('The run to compare with; by default the newest earlier one of the same set and consumer')
  baseline_run_id?: number;
}

export class RunBaseline {
  @Id() id!: number;
  @Num(0, 1) @Nullable() match_rate!: number | null;
  @ListOf(() => RunDifference) @Description('At a confidence of 0.95') differences!: RunDifference[];
}

/** A run that was started with one call, with what it shows once it is scored. */
export class EvaluatedRun extends TestRun {
  @Nested(() => ScoreSummary) @Nullable() @Description('Null until the run is scored') summary!: ScoreSummary | null;
  @Nested(() => GateResult)
  @Nullable()
  @Description('Null until the run is scored, and without a release')
  gate!: GateResult | null;
  @Nested(() => RunBaseline)
  @Nullable()
  @Description('Null until the run is scored, and without an earlier run')
  compared_with!: RunBaseline | null;
}

/** Runs of test sets in one call (docs/api/tests.md). */
export const evaluatedRuns = defineContract(
  { name: 'evaluated-runs', service: 'test-runs', tag: 'Unified Test Runs' },
  {
    runTestSet: {
      post: '/unified-test-runs/run',
      summary:
        'Create, prepare, execute and score a run in one call, and wait for its scores, its gate and its comparison',
      errors: ['not_found', 'refused'],
      scope: 'invoke',
      input: RunTestSet,
      output: EvaluatedRun,
      delivery: { slow: true },
    },
  },
);
