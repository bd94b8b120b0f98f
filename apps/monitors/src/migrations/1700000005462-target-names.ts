import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the name of a target was given to its resource, so that a name that arrives late never replaces a newer one. */
export class TargetNames1700000005462 implements MigrationInterface {
  readonly name = 'TargetNames1700000005462';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE monitors.monitor_targets ADD COLUMN name_date bigint NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE monitors.monitor_targets DROP COLUMN name_date');
  }
}
