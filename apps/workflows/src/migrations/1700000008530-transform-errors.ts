import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Why the session of a completed run was not transformed. */
export class TransformErrors1700000008530 implements MigrationInterface {
  readonly name = 'TransformErrors1700000008530';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE workflows.runs ADD COLUMN transform_error text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE workflows.runs DROP COLUMN transform_error');
  }
}
