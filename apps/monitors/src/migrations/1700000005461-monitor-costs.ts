import { protect } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // Without a foreign key: rows of monitors are never removed.
  `CREATE TABLE monitors.monitor_costs (
    company_id int NOT NULL,
    -- 00:00 UTC in epoch milliseconds.
    day bigint NOT NULL,
    monitor_id int NOT NULL,
    cost double precision NOT NULL,
    PRIMARY KEY (company_id, day, monitor_id)
  )`,
  ...protect('monitors', 'monitor_costs'),
  'ALTER TABLE monitors.monitor_checks ADD COLUMN cost double precision',
  'ALTER TABLE monitors.monitor_check_items ADD COLUMN error_code text',
];

/** What monitors cost a day, counted from this migration on, and what checks cost. */
export class MonitorCosts1700000005461 implements MigrationInterface {
  readonly name = 'MonitorCosts1700000005461';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE monitors.monitor_check_items DROP COLUMN error_code');
    await runner.query('ALTER TABLE monitors.monitor_checks DROP COLUMN cost');
    await runner.query('DROP TABLE monitors.monitor_costs');
  }
}
