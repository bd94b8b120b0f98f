import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The `meta` by which a script has scored an item. */
export class ScoredMeta1700000009681 implements MigrationInterface {
  readonly name = 'ScoredMeta1700000009681';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "test-runs".run_scores ADD COLUMN meta_md5 text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "test-runs".run_scores DROP COLUMN meta_md5`);
  }
}
