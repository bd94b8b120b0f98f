import { deletedGatesIndex } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The name of a deleted release with a gate stays with admins for some days. */
export class DeletedGates1700000008450 implements MigrationInterface {
  readonly name = 'DeletedGates1700000008450';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(deletedGatesIndex('workflows', 'workflow', 'workflow_id'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX workflows.workflow_releases_deleted_gates');
  }
}
