import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The release whose version judged, by its name then; null for runs of the latest version and for older runs. */
export class MonitorRunReleases1700000005330 implements MigrationInterface {
  readonly name = 'MonitorRunReleases1700000005330';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE monitors.monitor_runs ADD COLUMN release text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE monitors.monitor_runs DROP COLUMN release');
  }
}
