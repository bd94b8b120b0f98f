import type { MigrationInterface, QueryRunner } from 'typeorm';

const REFERENCES = [
  ['monitor_id', 'monitors'],
  ['monitor_target_id', 'monitor_targets'],
  ['monitor_version_id', 'monitor_versions'],
] as const;

/**
 * Runs without foreign keys. A run names a monitor, a target and a version that the same transaction has read, and rows
 * of these are never removed: three look-ups for each run took a third of its insertion and could find nothing.
 */
export class MonitorRunReferences1700000005340 implements MigrationInterface {
  readonly name = 'MonitorRunReferences1700000005340';

  async up(runner: QueryRunner): Promise<void> {
    for (const [column] of REFERENCES)
      await runner.query(`ALTER TABLE monitors.monitor_runs DROP CONSTRAINT monitor_runs_company_id_${column}_fkey`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [column, table] of REFERENCES)
      await runner.query(
        `ALTER TABLE monitors.monitor_runs ADD FOREIGN KEY (company_id, ${column}) REFERENCES monitors.${table} (company_id, id)`,
      );
  }
}
