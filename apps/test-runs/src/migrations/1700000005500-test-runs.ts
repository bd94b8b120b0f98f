import { NOW_MS, protect, rolesOf } from '@signalbox/database';
import { runTables, secretHolderTable } from '@signalbox/runs';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { RUN_SCHEMA } from './run-schema.js';

const SERVICE = 'test-runs';
const { runtime } = rolesOf(SERVICE);
const CLASSES = `('quality', 'provider', 'timeout', 'sandbox', 'adapter', 'judge', 'internal')`;
const toRun = `FOREIGN KEY (company_id, run_id) REFERENCES "test-runs".runs (company_id, id) ON DELETE CASCADE`;

/** A table of the parts of runs; its rows are deleted with their run. */
const partTable = (table: string, columns: readonly string[]): string[] => [
  `CREATE TABLE "test-runs".${table} (
    company_id int NOT NULL,
    id int GENERATED ALWAYS AS IDENTITY,
    run_id uuid NOT NULL,
    ${columns.map((column) => `${column},`).join('\n    ')}
    date_created bigint NOT NULL DEFAULT ${NOW_MS},
    PRIMARY KEY (company_id, id),
    ${toRun}
  )`,
  ...protect(SERVICE, table),
  `GRANT USAGE ON SEQUENCE "test-runs".${table}_id_seq TO ${runtime}`,
];

const statements = [
  ...runTables(RUN_SCHEMA),
  `CREATE UNIQUE INDEX runs_no ON "test-runs".runs (company_id, no)`,
  `CREATE INDEX runs_of_set ON "test-runs".runs (company_id, test_set_id, no)`,
  `CREATE INDEX runs_of_consumer ON "test-runs".runs (company_id, consumer_kind, consumer_id, no)`,
  ...partTable('run_items', [
    'test_set_item_id int NOT NULL',
    'position int NOT NULL',
    `status text NOT NULL CHECK (status IN ('PENDING', 'RUNNING', 'COMPLETED', 'FAILED'))`,
    `failure_class text CHECK (failure_class IN ${CLASSES})`,
    'error_code text',
    'error_message text',
    // json, not jsonb: a model is sent the keys of an input in their order.
    'adapted_input json',
    // The expectation as it was imported; overrides are read when the item is scored.
    'baseline json',
    'matched boolean',
    'agreement double precision',
    // The score that counts; earlier ones are its history.
    'score_id int',
    'attempts int NOT NULL DEFAULT 0',
    // The lane of the run that executes it, while it is RUNNING.
    'lane int',
    // The id of the call under way: a worker that continues the item finds the work of a lost one by it.
    'call_id uuid',
    'losses int NOT NULL DEFAULT 0',
    'started_at bigint',
    'completed_at bigint',
    'scored_at bigint',
    `date_updated bigint NOT NULL DEFAULT ${NOW_MS}`,
    `CHECK ((status = 'FAILED') = (failure_class IS NOT NULL AND failure_class <> 'quality'))`,
    `CHECK ((status = 'RUNNING') = (lane IS NOT NULL))`,
    `CHECK ((status IN ('COMPLETED', 'FAILED')) = (completed_at IS NOT NULL))`,
  ]),
  `CREATE INDEX run_items_of_run ON "test-runs".run_items (company_id, run_id, position)`,
  `CREATE INDEX run_items_status ON "test-runs".run_items (company_id, run_id, status)`,
  `CREATE INDEX run_items_pending ON "test-runs".run_items (company_id, run_id, position) WHERE status = 'PENDING'`,
  // A lane executes one item at a time.
  `CREATE UNIQUE INDEX run_items_lane ON "test-runs".run_items (company_id, run_id, lane) WHERE status = 'RUNNING'`,
  ...partTable('run_attempts', [
    'run_item_id int NOT NULL',
    'attempt int NOT NULL CHECK (attempt > 0)',
    'repeat int NOT NULL CHECK (repeat BETWEEN 1 AND 20)',
    // False once a reset has made it history.
    'is_current boolean NOT NULL DEFAULT true',
    `status text NOT NULL CHECK (status IN ('COMPLETED', 'FAILED'))`,
    `failure_class text CHECK (failure_class IN ${CLASSES})`,
    'error_code text',
    'error_message text',
    'actual_output json',
    'source_ref json',
    'matched boolean',
    'duration_ms int NOT NULL',
    'started_at bigint NOT NULL',
    'completed_at bigint NOT NULL',
  ]),
  `CREATE UNIQUE INDEX run_attempts_of_item ON "test-runs".run_attempts (company_id, run_item_id, attempt)`,
  // Each repeat of an item has one result that counts.
  `CREATE UNIQUE INDEX run_attempts_current ON "test-runs".run_attempts (company_id, run_item_id, repeat) WHERE is_current`,
  `CREATE INDEX run_attempts_of_run ON "test-runs".run_attempts (company_id, run_id) INCLUDE (is_current, duration_ms)`,
  ...partTable('run_scores', [
    'run_item_id int NOT NULL',
    'attempt int NOT NULL',
    `expectation_source text NOT NULL CHECK (expectation_source IN ('baseline', 'sub', 'none'))`,
    'response_sub_id int',
    'expected_output_used json',
    'matched boolean',
    'diff_result json',
    'criteria_results json NOT NULL',
    `failure_class text CHECK (failure_class = 'judge')`,
    'scored_at bigint NOT NULL',
  ]),
  `CREATE INDEX run_scores_of_item ON "test-runs".run_scores (company_id, run_item_id, id)`,
  `CREATE INDEX run_scores_of_run ON "test-runs".run_scores (company_id, run_id)`,
  ...secretHolderTable(SERVICE),
];

/** Test runs with their items, attempts and scores. */
export class TestRuns1700000005500 implements MigrationInterface {
  readonly name = 'TestRuns1700000005500';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DROP TABLE "test-runs".run_scores, "test-runs".run_attempts, "test-runs".run_items, "test-runs".run_timeline,
         "test-runs".run_events, "test-runs".runs, "test-runs".secret_holders`,
    );
  }
}
