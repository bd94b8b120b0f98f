import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Old traces are found company by company: companies differ in how long they keep them, and the rows of pruned traces,
 * which stay for a while, are not read again.
 */
export class TraceRetention1700000009103 implements MigrationInterface {
  readonly name = 'TraceRetention1700000009103';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX otel_traces_kept ON traffic.otel_traces (company_id, pruned_at, last_arrival)');
    await runner.query('DROP INDEX traffic.otel_traces_closed');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX otel_traces_closed ON traffic.otel_traces (last_arrival, company_id)');
    await runner.query('DROP INDEX traffic.otel_traces_kept');
  }
}
