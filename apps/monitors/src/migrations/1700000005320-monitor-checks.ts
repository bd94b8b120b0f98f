import { protect, tenantTable } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const SERVICE = 'monitors';

const statements = [
  ...tenantTable(
    SERVICE,
    'monitor_checks',
    [
      'monitor_id int NOT NULL',
      'monitor_version_id int NOT NULL',
      'version_number text NOT NULL',
      'test_set_id int NOT NULL',
      `status text NOT NULL CHECK (status IN ('CREATED', 'RUNNING', 'COMPLETED'))`,
      'total int NOT NULL DEFAULT 0',
      'matched int NOT NULL DEFAULT 0',
      'mismatched int NOT NULL DEFAULT 0',
      'error_count int NOT NULL DEFAULT 0',
      'completed_at bigint',
      'FOREIGN KEY (company_id, monitor_id) REFERENCES monitors.monitors (company_id, id)',
      'FOREIGN KEY (company_id, monitor_version_id) REFERENCES monitors.monitor_versions (company_id, id)',
    ],
    // Lists of a monitor, and the newest check that a gate compares.
    ['CREATE INDEX monitor_checks_of ON monitors.monitor_checks (company_id, monitor_id, id)'],
  ),
  `CREATE TABLE monitors.monitor_check_items (
    company_id int NOT NULL,
    check_id int NOT NULL,
    test_set_item_id int NOT NULL,
    position int NOT NULL,
    expected_outcome text CHECK (expected_outcome IN ('PASS', 'WARNING', 'FAULT')),
    -- Null until the item is judged.
    outcome text CHECK (outcome IN ('PASS', 'WARNING', 'FAULT', 'ERROR')),
    failure_class text,
    PRIMARY KEY (company_id, check_id, test_set_item_id),
    FOREIGN KEY (company_id, check_id) REFERENCES monitors.monitor_checks (company_id, id)
  )`,
  ...protect(SERVICE, 'monitor_check_items'),
];

/** Checks of monitors against test sets. */
export class MonitorChecks1700000005320 implements MigrationInterface {
  readonly name = 'MonitorChecks1700000005320';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE monitors.monitor_check_items, monitors.monitor_checks');
  }
}
