import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An index of a table that may be large. */
export interface LargeTableIndex {
  name: string;
  /** The table with its columns, and a condition for a partial index: `agents.tasks (company_id) WHERE …`. */
  on: string;
}

/**
 * A migration that creates indexes while the tables are written to. Such an index cannot be created in a transaction; one
 * that an interrupted run has left unfinished is created anew.
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
      // It blocks no writer while it waits for transactions that are open, and a backup is a long one.
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
