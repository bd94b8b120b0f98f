import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An index of requests that most of them are not in, so that recording one does not pay for it. */
export interface PartitionIndex {
  /** `requests_<suffix>`; that of a partition is named after it. */
  suffix: string;
  /** Its columns and its condition: `(company_id) WHERE …`. */
  on: string;
}

/**
 * A migration that creates an index of requests while they are recorded. An index of a partitioned table cannot be created
 * concurrently: that of each partition is, and is attached; partitions that are made meanwhile have theirs.
 */
export function partitionIndex(migration: string, { suffix, on }: PartitionIndex): new () => MigrationInterface {
  const index = `requests_${suffix}`;
  return class implements MigrationInterface {
    readonly name = migration;
    readonly transaction = false;

    async up(runner: QueryRunner): Promise<void> {
      await runner.query(`CREATE INDEX IF NOT EXISTS ${index} ON ONLY traffic.requests ${on}`);
      const rows = (await runner.query(
        `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
         WHERE i.inhparent = 'traffic.requests'::regclass AND NOT EXISTS (SELECT 1 FROM pg_inherits a
           JOIN pg_index x ON x.indexrelid = a.inhrelid
           WHERE a.inhparent = 'traffic.${index}'::regclass AND x.indrelid = c.oid)`,
      )) as { name: string }[];
      await runner.query('SET lock_timeout = 0');
      for (const { name } of rows) {
        await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS traffic.${name}_${suffix}`);
        await runner.query(`CREATE INDEX CONCURRENTLY ${name}_${suffix} ON traffic.${name} ${on}`);
        await runner.query(`ALTER INDEX traffic.${index} ATTACH PARTITION traffic.${name}_${suffix}`);
      }
      await runner.query('RESET lock_timeout');
    }

    async down(runner: QueryRunner): Promise<void> {
      await runner.query(`DROP INDEX traffic.${index}`);
    }
  };
}
