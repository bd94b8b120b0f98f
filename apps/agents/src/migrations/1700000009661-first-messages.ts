import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists show the beginning of the first message without reading whole inputs; null in tasks that were stored before. */
export class FirstMessages1700000009661 implements MigrationInterface {
  readonly name = 'FirstMessages1700000009661';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agents.tasks ADD COLUMN first_message text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agents.tasks DROP COLUMN first_message');
  }
}
