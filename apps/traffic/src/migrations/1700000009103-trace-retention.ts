import { largeTableIndexes } from '@signalbox/database';
import type { QueryRunner } from 'typeorm';

const NAME = 'TraceRetention1700000009103';
const INDEX = { name: 'otel_traces_kept', on: 'traffic.otel_traces (company_id, pruned_at, last_arrival)' };

/**
 * Old traces are found company by company: companies differ in how long they keep them, and the rows of pruned traces,
 * which stay for a while, are not read again.
 */
export class TraceRetention1700000009103 extends largeTableIndexes(NAME, 'traffic', [INDEX]) {
  override async up(runner: QueryRunner): Promise<void> {
    await super.up(runner);
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS traffic.otel_traces_closed');
  }

  override async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX CONCURRENTLY otel_traces_closed ON traffic.otel_traces (last_arrival, company_id)',
    );
    await super.down(runner);
  }
}
