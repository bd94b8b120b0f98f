import { linkReleaseMoves, tenantTable, versionTables } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const SERVICE = 'monitors';

const statements = [
  ...tenantTable(
    SERVICE,
    'monitors',
    [
      'name text NOT NULL',
      `description text NOT NULL DEFAULT ''`,
      `status text NOT NULL CHECK (status IN ('DRAFT', 'ACTIVE', 'PAUSED'))`,
      'config jsonb NOT NULL',
      `meta jsonb NOT NULL DEFAULT '{}'`,
      `alert_rules jsonb NOT NULL DEFAULT '[]'`,
      'shadow_version text',
    ],
    [`CREATE UNIQUE INDEX monitors_name ON monitors.monitors (company_id, name) WHERE deleted_at IS NULL`],
  ),
  ...tenantTable(
    SERVICE,
    'monitor_targets',
    [
      'monitor_id int NOT NULL',
      `target_type text NOT NULL CHECK (target_type IN ('intent', 'workflow', 'agent'))`,
      'target_id int NOT NULL',
      'target_name text NOT NULL',
      'sample_rate int NOT NULL CHECK (sample_rate BETWEEN 0 AND 100)',
      'enabled boolean NOT NULL',
      'FOREIGN KEY (company_id, monitor_id) REFERENCES monitors.monitors (company_id, id)',
    ],
    [
      `CREATE UNIQUE INDEX monitor_targets_once ON monitors.monitor_targets (company_id, monitor_id, target_type, target_id)
       WHERE deleted_at IS NULL`,
      `CREATE INDEX monitor_targets_of ON monitors.monitor_targets (company_id, target_type, target_id) WHERE deleted_at IS NULL`,
    ],
  ),
  ...versionTables(SERVICE, 'monitor', 'monitors', 'monitor_id'),
  ...linkReleaseMoves(SERVICE, 'monitor', 'monitor_id'),
];

/** Monitors, their targets, and their versions and releases. */
export class Monitors1700000005000 implements MigrationInterface {
  readonly name = 'Monitors1700000005000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE monitors.monitor_release_moves, monitors.monitor_releases, monitors.monitor_versions, monitors.monitor_targets, monitors.monitors',
    );
  }
}
