import { objectDeletionsTable } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The objects that are being deleted from the object store. */
export class ObjectDeletions1700000008580 implements MigrationInterface {
  readonly name = 'ObjectDeletions1700000008580';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of objectDeletionsTable('workflows')) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE workflows.object_deletions');
  }
}
