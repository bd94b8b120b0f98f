import { deletedGatesIndex } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The name of a deleted release with a gate stays with admins for some days. */
export class DeletedGates1700000004250 implements MigrationInterface {
  readonly name = 'DeletedGates1700000004250';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(deletedGatesIndex('agents', 'agent', 'agent_id'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX agents.agent_releases_deleted_gates');
  }
}
