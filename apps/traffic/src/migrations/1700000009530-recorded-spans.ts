import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which spans have been recorded as requests: a request that was deleted since is not recorded again. */
export class RecordedSpans1700000009530 implements MigrationInterface {
  readonly name = 'RecordedSpans1700000009530';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE traffic.otel_records ADD COLUMN is_recorded boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE traffic.otel_records DROP COLUMN is_recorded');
  }
}
