import { deletedGatesIndex } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The name of a deleted release with a gate stays with admins for some days. */
export class DeletedGates1700000005550 implements MigrationInterface {
  readonly name = 'DeletedGates1700000005550';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(deletedGatesIndex('monitors', 'monitor', 'monitor_id'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX monitors.monitor_releases_deleted_gates');
  }
}
