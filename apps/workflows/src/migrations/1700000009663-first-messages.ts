import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists show the beginning of the first message without reading whole inputs; null in runs that were stored before. */
export class FirstMessages1700000009663 implements MigrationInterface {
  readonly name = 'FirstMessages1700000009663';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE workflows.runs ADD COLUMN first_message text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE workflows.runs DROP COLUMN first_message');
  }
}
