import { objectDeletionsTable } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The objects that are being deleted from the object store. */
export class ObjectDeletions1700000003180 implements MigrationInterface {
  readonly name = 'ObjectDeletions1700000003180';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of objectDeletionsTable('traffic')) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE traffic.object_deletions');
  }
}
