import type { MigrationInterface, QueryRunner } from 'typeorm';

const REPLACED = ['run_items_of_run', 'run_items_status', 'run_items_lane', 'run_attempts_of_run', 'run_scores_of_run'];

// The id of a run is unique over all companies. An index that begins with the company looks as good as the primary key to
// the planner while a table has no statistics, and it then reads all rows of the company for each id.
const up = [
  ...REPLACED.map((index) => `DROP INDEX "test-runs".${index}`),
  `DROP INDEX "test-runs".run_items_pending`,
  `CREATE INDEX run_items_of_run ON "test-runs".run_items (run_id, position)`,
  // Of use to counts by status, and to lanes that take the first PENDING item.
  `CREATE INDEX run_items_status ON "test-runs".run_items (run_id, status, position)`,
  `CREATE UNIQUE INDEX run_items_lane ON "test-runs".run_items (run_id, lane) WHERE status = 'RUNNING'`,
  `CREATE INDEX run_attempts_of_run ON "test-runs".run_attempts (run_id) INCLUDE (is_current, duration_ms)`,
  `CREATE INDEX run_scores_of_run ON "test-runs".run_scores (run_id)`,
  // An item changes its state four times: its pages keep room for that.
  `ALTER TABLE "test-runs".run_items SET (fillfactor = 70)`,
  `ALTER TABLE "test-runs".run_attempts SET (fillfactor = 80)`,
];
const down = [
  `ALTER TABLE "test-runs".run_attempts RESET (fillfactor)`,
  `ALTER TABLE "test-runs".run_items RESET (fillfactor)`,
  ...REPLACED.map((index) => `DROP INDEX "test-runs".${index}`),
  `CREATE INDEX run_items_of_run ON "test-runs".run_items (company_id, run_id, position)`,
  `CREATE INDEX run_items_status ON "test-runs".run_items (company_id, run_id, status)`,
  `CREATE INDEX run_items_pending ON "test-runs".run_items (company_id, run_id, position) WHERE status = 'PENDING'`,
  `CREATE UNIQUE INDEX run_items_lane ON "test-runs".run_items (company_id, run_id, lane) WHERE status = 'RUNNING'`,
  `CREATE INDEX run_attempts_of_run ON "test-runs".run_attempts (company_id, run_id) INCLUDE (is_current, duration_ms)`,
  `CREATE INDEX run_scores_of_run ON "test-runs".run_scores (company_id, run_id)`,
];

/** Cheaper changes of the items of a run. */
export class ItemUpdates1700000005600 implements MigrationInterface {
  readonly name = 'ItemUpdates1700000005600';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}
