import { largeTableIndexes } from '@signalbox/database';
import type { QueryRunner } from 'typeorm';

const NAME = 'DueTraces1700000009560';
const INDEX = {
  name: 'otel_traces_due',
  on: 'traffic.otel_traces (company_id, due_at) WHERE closed_at IS NULL AND record_count > 0',
};

/**
 * The traces of a company that are due are put together in one go. Those that were open before, and those of the release
 * before, are due at once.
 */
export class DueTraces1700000009560 extends largeTableIndexes(NAME, 'traffic', [INDEX]) {
  override async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE traffic.otel_traces ADD COLUMN IF NOT EXISTS due_at bigint NOT NULL DEFAULT 0,
         ADD COLUMN IF NOT EXISTS attempts int NOT NULL DEFAULT 0`,
    );
    await super.up(runner);
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS traffic.otel_traces_open');
  }

  override async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX CONCURRENTLY otel_traces_open ON traffic.otel_traces (company_id)
         WHERE closed_at IS NULL AND record_count > 0`,
    );
    await super.down(runner);
    await runner.query('ALTER TABLE traffic.otel_traces DROP COLUMN attempts, DROP COLUMN due_at');
  }
}
