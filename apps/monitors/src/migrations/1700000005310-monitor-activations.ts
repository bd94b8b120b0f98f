import { openToWorker } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const SERVICE = 'monitors';

const statements = [
  // Monitors that are active already have seen every event.
  'ALTER TABLE monitors.monitors ADD COLUMN activated_at bigint NOT NULL DEFAULT 0',
  // Which companies watch what kind of target is all that the worker role may read of them.
  ...openToWorker(SERVICE, 'monitors', 'SELECT (company_id, id, status, deleted_at)'),
  ...openToWorker(SERVICE, 'monitor_targets', 'SELECT (company_id, monitor_id, target_type, deleted_at)'),
];

/** When monitors were activated, and which companies have active ones. */
export class MonitorActivations1700000005310 implements MigrationInterface {
  readonly name = 'MonitorActivations1700000005310';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, rights] of [
      ['monitors', 'SELECT (company_id, id, status, deleted_at)'],
      ['monitor_targets', 'SELECT (company_id, monitor_id, target_type, deleted_at)'],
    ] as const) {
      await runner.query(`DROP POLICY worker ON monitors.${table}`);
      await runner.query(`REVOKE ${rights} ON monitors.${table} FROM svc_monitors_worker`);
    }
    await runner.query('ALTER TABLE monitors.monitors DROP COLUMN activated_at');
  }
}
