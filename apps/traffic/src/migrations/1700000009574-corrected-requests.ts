import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEX = 'requests_corrected';
const ON = '(company_id, id) WHERE corrected_response IS NOT NULL';

/**
 * Finds the corrected requests, which are few of all. An index of a partitioned table cannot be created concurrently: that
 * of each partition is, and is attached; partitions that are made meanwhile have theirs.
 */
export class CorrectedRequests1700000009574 implements MigrationInterface {
  readonly name = 'CorrectedRequests1700000009574';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX IF NOT EXISTS ${INDEX} ON ONLY traffic.requests ${ON}`);
    const rows = (await runner.query(
      `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = 'traffic.requests'::regclass AND NOT EXISTS (SELECT 1 FROM pg_inherits a
         JOIN pg_index x ON x.indexrelid = a.inhrelid
         WHERE a.inhparent = 'traffic.${INDEX}'::regclass AND x.indrelid = c.oid)`,
    )) as { name: string }[];
    await runner.query('SET lock_timeout = 0');
    for (const { name } of rows) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS traffic.${name}_corrected`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${name}_corrected ON traffic.${name} ${ON}`);
      await runner.query(`ALTER INDEX traffic.${INDEX} ATTACH PARTITION traffic.${name}_corrected`);
    }
    await runner.query('RESET lock_timeout');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX traffic.${INDEX}`);
  }
}
