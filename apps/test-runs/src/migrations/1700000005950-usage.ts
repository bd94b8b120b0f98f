import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = [
  `ALTER TABLE "test-runs".run_attempts ADD COLUMN usage json`,
  // Of a completed run; those of a running one are summed up.
  `ALTER TABLE "test-runs".runs ADD COLUMN totals json`,
  // The source that a row of a file names: it is not checked, so it is not the source of the item.
  `ALTER TABLE "test-runs".test_set_items ADD COLUMN file_source jsonb`,
  `CREATE INDEX test_set_items_file_source ON "test-runs".test_set_items (company_id, test_set_id, (file_source->>'source_id'))
    WHERE file_source IS NOT NULL AND deleted_at IS NULL`,
];
const down = [
  `DROP INDEX "test-runs".test_set_items_file_source`,
  `ALTER TABLE "test-runs".test_set_items DROP COLUMN file_source`,
  `ALTER TABLE "test-runs".runs DROP COLUMN totals`,
  `ALTER TABLE "test-runs".run_attempts DROP COLUMN usage`,
];

/** What executions cost, and the sources that files name. */
export class Usage1700000005950 implements MigrationInterface {
  readonly name = 'Usage1700000005950';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}
