import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  'ALTER TABLE traffic.requests ADD COLUMN fallback_strategy text',
  'CREATE INDEX requests_fallbacks ON traffic.requests (company_id, date_created) WHERE fallback_used',
];

/** What reports read of requests. */
export class Reports1700000002970 implements MigrationInterface {
  readonly name = 'Reports1700000002970';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX traffic.requests_fallbacks');
    await runner.query('ALTER TABLE traffic.requests DROP COLUMN fallback_strategy');
  }
}
