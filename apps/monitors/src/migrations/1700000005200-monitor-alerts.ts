import { openToWorker, tenantTable } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const SERVICE = 'monitors';

const statements = [
  ...tenantTable(
    SERVICE,
    'monitor_alerts',
    [
      'monitor_id int NOT NULL',
      'rule jsonb NOT NULL',
      // Identifies the rule within its monitor: rules have no id, and an edited one is another rule.
      'rule_key text NOT NULL',
      `status text NOT NULL CHECK (status IN ('open', 'acknowledged', 'resolved'))`,
      'opened_at bigint NOT NULL',
      'acknowledged_at bigint',
      'resolved_at bigint',
      'value double precision NOT NULL',
      `run_ids jsonb NOT NULL DEFAULT '[]'`,
      'FOREIGN KEY (company_id, monitor_id) REFERENCES monitors.monitors (company_id, id)',
    ],
    [
      `CREATE UNIQUE INDEX monitor_alerts_open ON monitors.monitor_alerts (company_id, monitor_id, rule_key) WHERE status <> 'resolved'`,
      'CREATE INDEX monitor_alerts_of ON monitors.monitor_alerts (company_id, monitor_id, id)',
      // Which monitors have open alerts is all that the worker role may read of them.
      ...openToWorker(SERVICE, 'monitor_alerts', 'SELECT (company_id, monitor_id, status)'),
    ],
  ),
];

/** Alerts of monitors. */
export class MonitorAlerts1700000005200 implements MigrationInterface {
  readonly name = 'MonitorAlerts1700000005200';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE monitors.monitor_alerts');
  }
}
