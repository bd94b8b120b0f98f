import { defineContract } from '../../contract.js';
import { page, stream } from '../../contract/outputs.js';
import { Default, field, Flag, Id, Int, List, Name, Nullable, Obj, OneOf, Optional, Str } from '../../fields/fields.js';
import { intType, objType, oneOfType } from '../../fields/field-types.js';
import { Deleted, ListQuery, Secrets } from '../../shapes.js';
import { CONSUMER_KINDS, type ConsumerKind } from './test-sets/test-data.js';
import { ConsumerConfigSchema } from './test-run-consumers.js';
import {
  ItemScore,
  ListItemHistory,
  ListRunItems,
  RunItem,
  RunItemAttempt,
  RunItemPath,
  RunItemSummary,
  TestRunPath,
} from './test-run-items.js';
import {
  AdaptedInputPreview,
  CompareTestRuns,
  PreviewAdaptedInput,
  RunComparison,
  RunProgress,
  ScoreSummary,
} from './test-run-results.js';
import { TEST_RUN_STATES, type TestRunStatus } from './test-run-states.js';
import { TestRun, PreparedTestRun, ResetTestRun, TestRunStreamEvent } from './test-run-records.js';

export class CreateTestRun {
  @Id() test_set_id!: number;
  @Name() @Nullable() @Optional() name?: string | null;
  @Str() @Nullable() @Optional() description?: string | null;
  @Obj() @Default(() => ({})) meta!: Record<string, unknown>;
  @OneOf(CONSUMER_KINDS) consumer_kind!: ConsumerKind;
  @field(objType(undefined, ConsumerConfigSchema)) consumer_config!: Record<string, unknown>;
  @List(intType(), 0, 20) @Optional() criteria_ids?: number[];
  @Flag() @Default(false) auto_score!: boolean;
  @Int(1, 20) @Default(1) repeats!: number;
}

class ListTestRuns extends ListQuery {
  @Id() @Optional() test_set_id?: number;
  @List(oneOfType(CONSUMER_KINDS), 1) @Optional() consumer_kind?: ConsumerKind[];
  @Id() @Optional() consumer_id?: number;
  @List(oneOfType(TEST_RUN_STATES), 1) @Optional() status?: TestRunStatus[];
}

class RunsOfTestSet extends ListQuery {
  @Id() test_set_id!: number;
}

class UpdateTestRun extends TestRunPath {
  @Name() @Nullable() @Optional() name?: string | null;
  @Str() @Nullable() @Optional() description?: string | null;
  @Obj() @Optional() meta?: Record<string, unknown>;
}

class ExecuteTestRun extends TestRunPath {
  @Int(1, 100) @Default(4) concurrency!: number;
  @Secrets() @Default(() => ({})) secrets!: Record<string, string>;
}

class ScoreTestRun extends TestRunPath {
  @List(intType(), 1, 20) @Optional() criteria_ids?: number[];
}

/** The classes of failures that a reset may name; `quality` is no failure. */
export const RESETTABLE_CLASSES = ['provider', 'timeout', 'sandbox', 'adapter', 'judge', 'internal'] as const;

class ResetFailed extends TestRunPath {
  @List(oneOfType(RESETTABLE_CLASSES), 1) @Optional() classes?: (typeof RESETTABLE_CLASSES)[number][];
  @Secrets() @Default(() => ({})) secrets!: Record<string, string>;
}

class StreamTestRun extends TestRunPath {
  @Int(0, Number.MAX_SAFE_INTEGER) @Default(0) last_event_id!: number;
}

const root = '/unified-test-runs';

const one = `${root}/{id}`;

/** Unified test runs (docs/api/tests.md). */
export const testRuns = defineContract(
  { name: 'test-runs', service: 'test-runs', tag: 'Unified Test Runs' },
  {
    createTestRun: {
      post: root,
      summary: 'Create a run of a test set against a model, a workflow or an agent',
      errors: ['not_found', 'refused'],
      input: CreateTestRun,
      output: TestRun,
    },
    listTestRuns: { get: root, summary: 'List test runs', input: ListTestRuns, output: page(TestRun) },
    listRunsOfTestSet: {
      get: '/unified-test-sets/{test_set_id}/runs',
      summary: 'List the runs of a test set',
      input: RunsOfTestSet,
      output: page(TestRun),
    },
    getTestRun: { get: one, summary: 'Get a test run', input: TestRunPath, output: TestRun },
    updateTestRun: {
      put: one,
      summary: 'Change name, description or meta of a test run',
      input: UpdateTestRun,
      output: TestRun,
    },
    deleteTestRun: { delete: one, summary: 'Delete a test run with its items', input: TestRunPath, output: Deleted },
    prepareTestRun: {
      post: `${one}/prepare`,
      summary: 'Adapt the items of the set to the consumer of the run',
      errors: ['conflict'],
      input: TestRunPath,
      output: PreparedTestRun,
      delivery: { slow: true },
    },
    executeTestRun: {
      post: `${one}/execute`,
      summary: 'Execute a prepared run; returns at once',
      errors: ['conflict'],
      scope: 'invoke',
      input: ExecuteTestRun,
      output: TestRun,
    },
    getTestRunProgress: {
      get: `${one}/progress`,
      summary: 'Get counts and duration percentiles of a run',
      input: TestRunPath,
      output: RunProgress,
    },
    streamTestRun: {
      get: `${one}/stream`,
      summary: 'Follow the progress of a run as server-sent events',
      input: StreamTestRun,
      output: stream(TestRunStreamEvent),
    },
    scoreTestRun: {
      post: `${one}/score`,
      summary:
        'Score the items of a run; what takes longer than two seconds continues after the reply, and a repeat continues it',
      errors: ['conflict'],
      scope: 'invoke',
      input: ScoreTestRun,
      output: ScoreSummary,
      delivery: { slow: true },
    },
    cancelTestRun: {
      post: `${one}/cancel`,
      summary: 'Cancel a running run: its open items end as cancelled, with what they have started',
      errors: ['conflict'],
      scope: 'invoke',
      input: TestRunPath,
      output: TestRun,
    },
    resetFailed: {
      post: `${one}/reset-failed`,
      summary: 'Execute the failed items of a completed run again',
      errors: ['conflict'],
      scope: 'invoke',
      input: ResetFailed,
      output: ResetTestRun,
    },
    listRunItems: {
      get: `${one}/items`,
      summary: 'List the items of a run',
      input: ListRunItems,
      output: page(RunItemSummary),
    },
    getRunItem: { get: `${one}/items/{item_id}`, summary: 'Get an item of a run', input: RunItemPath, output: RunItem },
    listItemScores: {
      get: `${one}/items/{item_id}/scores`,
      summary: 'List the scores of an item, newest first',
      input: ListItemHistory,
      output: page(ItemScore),
    },
    listItemAttempts: {
      get: `${one}/items/{item_id}/attempts`,
      summary: 'List the executions of an item, newest first',
      input: ListItemHistory,
      output: page(RunItemAttempt),
    },
    compareTestRuns: {
      post: `${root}/compare`,
      summary: 'Compare 2 to 10 runs over the same set',
      errors: ['not_found'],
      scope: 'read',
      input: CompareTestRuns,
      output: RunComparison,
      delivery: { slow: true, abandonable: true },
    },
    previewAdaptedInput: {
      post: `${root}/preview-adapted-input`,
      summary: 'Show what an item becomes for a consumer; stores nothing',
      errors: ['not_found'],
      scope: 'read',
      input: PreviewAdaptedInput,
      output: AdaptedInputPreview,
    },
  },
);
