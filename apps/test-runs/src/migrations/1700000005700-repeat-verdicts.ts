import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The verdicts of repeats are part of the score of their item: a verdict in the row of its attempt made Postgres write
 * that row again, with its output and all its index entries. The column of attempts stays for the scores of earlier
 * releases, which have no verdicts.
 */
export class RepeatVerdicts1700000005700 implements MigrationInterface {
  readonly name = 'RepeatVerdicts1700000005700';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "test-runs".run_scores ADD COLUMN repeats_matched boolean[] NOT NULL DEFAULT '{}'`);
    // Their rows are changed by a reset alone.
    await runner.query(`ALTER TABLE "test-runs".run_attempts RESET (fillfactor)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "test-runs".run_attempts SET (fillfactor = 80)`);
    await runner.query(`ALTER TABLE "test-runs".run_scores DROP COLUMN repeats_matched`);
  }
}
