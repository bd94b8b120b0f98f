import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Marks the API keys that have a replacement: a key is rotated once. */
export class RotatedKeys1700000001100 implements MigrationInterface {
  readonly name = 'RotatedKeys1700000001100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts.api_keys ADD COLUMN rotated_at bigint');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts.api_keys DROP COLUMN rotated_at');
  }
}
