import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whether a person resolved an alert: only that restarts the window of its rule. Alerts that were resolved before count as
 * resolved by their rule.
 */
export class AlertResolutions1700000005460 implements MigrationInterface {
  readonly name = 'AlertResolutions1700000005460';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE monitors.monitor_alerts ADD COLUMN resolved_by_hand boolean NOT NULL DEFAULT false',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE monitors.monitor_alerts DROP COLUMN resolved_by_hand');
  }
}
