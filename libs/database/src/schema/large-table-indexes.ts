import type { MigrationInterface, QueryRunner } from 'typeorm';

export interface LargeTableIndex {
  name: string;
  /** Table, columns and condition: `agents.tasks (company_id) WHERE …`. */
  on: string;
}

/**
 * Creates indexes concurrently, hence outside a transaction; one that an interrupted run left invalid is created anew.
 */
export function largeTableIndexes(
  migration: string,
  schema: string,
  indexes: readonly LargeTableIndex[],
): new () => MigrationInterface {
  return class implements MigrationInterface {
    readonly name = migration;
    readonly transaction = false;

    async up(runner: QueryRunner): Promise<void> {
      // It waits for open transactions, such as a long backup, without blocking writers.
      await runner.query('SET lock_timeout = 0');
      for (const { name, on } of indexes) {
        await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS "${schema}".${name}`);
        await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON ${on}`);
      }
      await runner.query('RESET lock_timeout');
    }

    async down(runner: QueryRunner): Promise<void> {
      for (const { name } of indexes) await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS "${schema}".${name}`);
    }
  };
}
