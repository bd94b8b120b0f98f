import { defineContract } from '../../contract.js';
import { page } from '../../contract/outputs.js';
import { objType, oneOfType } from '../../fields/field-types.js';
import {
  Count,
  Default,
  Epoch,
  field,
  Flag,
  Id,
  List,
  Nested,
  Nullable,
  OneOf,
  Optional,
  Str,
} from '../../fields/fields.js';
import { Deleted, FAILURE_CLASSES, type FailureClass, ListQuery, PlainSort } from '../../shapes.js';
import { LEGACY_TYPES, type LegacyType } from './test-sets/legacy-test-sets.js';
import { DiffResult, RUN_ITEM_STATES, type RunItemStatus } from './test-run-items.js';
import { CompareTestRuns, RunComparison, ScoreSummary } from './test-run-results.js';
import { TEST_RUN_STATES, type TestRunStatus } from './test-run-states.js';

/** The outcomes of items under the legacy paths. */
export const LEGACY_OUTCOMES = ['passed', 'failed', 'error'] as const;

/** A test run as `/test-runs` shows it. */
export class LegacyTestRun {
  @Id() id!: number;
  @Id() test_set_id!: number;
  @OneOf(TEST_RUN_STATES) status!: TestRunStatus;
  @Str() @Nullable() description!: string | null;
  @Epoch() date_created!: number;
  @Epoch() @Nullable() completed_at!: number | null;
}
/** An item of a run as `/test-runs/{id}/items` shows it. */
export class LegacyRunItem {
  @Id() id!: number;
  @Id() test_run_id!: number;
  @Id() test_set_item_id!: number;
  @OneOf(RUN_ITEM_STATES) status!: RunItemStatus;
  @OneOf(FAILURE_CLASSES) @Nullable() failure_class!: FailureClass | null;
  @Flag() @Nullable() matched!: boolean | null;
  @Count() @Nullable() duration_ms!: number | null;
  @Nested(() => DiffResult) @Nullable() diff_result!: DiffResult | null;
}

class RunPath {
  @Id() id!: number;
}
class ListRuns extends ListQuery {
  @PlainSort() override sort!: string;
  @OneOf(LEGACY_TYPES) @Default('request') type!: LegacyType;
  @Id() @Optional() test_set_id?: number;
}
class CreateRun {
  @Id() test_set_id!: number;
  @OneOf(LEGACY_TYPES) @Default('request') type!: LegacyType;
  @Str() @Nullable() @Optional() description?: string | null;
  @field(objType()) config!: Record<string, unknown>;
}
class ListItems extends ListQuery {
  @PlainSort() override sort!: string;
  @Id() id!: number;
  @List(oneOfType(LEGACY_OUTCOMES), 1) @Optional() outcome?: (typeof LEGACY_OUTCOMES)[number][];
  @Flag() @Optional() matched?: boolean;
}

const runs = { path: '/test-runs', successor: '/unified-test-runs' } as const;
const one = { path: '/test-runs/{id}', successor: '/unified-test-runs/{id}' } as const;

/** The legacy view of test runs (docs/api/tests.md): the same rows under their unified ids. */
export const legacyTestRuns = defineContract(
  { name: 'legacy-test-runs', service: 'test-runs', tag: 'Legacy' },
  {
    listLegacyTestRuns: {
      get: runs.path,
      summary: 'List the test runs of a type',
      input: ListRuns,
      output: page(LegacyTestRun),
      http: { deprecatedBy: runs.successor },
    },
    createLegacyTestRun: {
      post: runs.path,
      summary: 'Create, prepare and execute a test run, which scores itself',
      errors: ['not_found', 'refused'],
      scope: 'invoke',
      input: CreateRun,
      output: LegacyTestRun,
      http: { deprecatedBy: runs.successor },
      delivery: { slow: true },
    },
    getLegacyTestRun: {
      get: one.path,
      summary: 'Get a test run',
      input: RunPath,
      output: LegacyTestRun,
      http: { deprecatedBy: one.successor },
    },
    deleteLegacyTestRun: {
      delete: one.path,
      summary: 'Delete a test run with its items',
      input: RunPath,
      output: Deleted,
      http: { deprecatedBy: one.successor },
    },
    listLegacyRunItems: {
      get: '/test-runs/{id}/items',
      summary: 'List the items of a test run',
      input: ListItems,
      output: page(LegacyRunItem),
      http: { deprecatedBy: '/unified-test-runs/{id}/items' },
    },
    scoreLegacyTestRun: {
      post: '/test-runs/{id}/score',
      summary: 'Score the items of a test run',
      scope: 'invoke',
      input: RunPath,
      output: ScoreSummary,
      http: { deprecatedBy: '/unified-test-runs/{id}/score' },
      delivery: { slow: true },
    },
    compareLegacyTestRuns: {
      post: '/test-runs/compare',
      summary: 'Compare 2 to 10 runs over the same set',
      errors: ['not_found'],
      scope: 'read',
      input: CompareTestRuns,
      output: RunComparison,
      http: { deprecatedBy: '/unified-test-runs/compare' },
    },
  },
);
