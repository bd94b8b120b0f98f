import type { MigrationInterface, QueryRunner } from 'typeorm';

export function traceColumns(service: string): new () => MigrationInterface {
  return class TraceColumns1700000000200 implements MigrationInterface {
    readonly name = 'TraceColumns1700000000200';

    async up(runner: QueryRunner): Promise<void> {
      for (const table of ['outbox', 'work'])
        await runner.query(`ALTER TABLE "${service}".${table} ADD COLUMN traceparent text`);
    }

    async down(runner: QueryRunner): Promise<void> {
      for (const table of ['outbox', 'work'])
        await runner.query(`ALTER TABLE "${service}".${table} DROP COLUMN traceparent`);
    }
  };
}
