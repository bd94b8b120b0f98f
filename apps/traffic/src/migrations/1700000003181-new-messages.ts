import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How many messages of a request are new in its session, so that a timeline reads the conversations of the requests on its
 * page alone. Earlier requests have none; their messages are counted when they are read.
 */
export class NewMessages1700000003181 implements MigrationInterface {
  readonly name = 'NewMessages1700000003181';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE traffic.requests ADD COLUMN new_messages int');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE traffic.requests DROP COLUMN new_messages');
  }
}
