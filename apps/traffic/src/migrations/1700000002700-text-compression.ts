import type { MigrationInterface, QueryRunner } from 'typeorm';

const TEXTS = ['params', 'response', 'corrected_response'];

/** Sets the columns of the table and of each partition; partitions that are created later inherit it. */
const setEach = (how: string): string => `
  FOR part IN SELECT relid FROM pg_partition_tree('traffic.requests') LOOP
    EXECUTE format('ALTER TABLE %s ${TEXTS.map((column) => `ALTER COLUMN ${column} ${how}`).join(', ')}', part);
  END LOOP;`;

/**
 * The default compression, pglz, takes more time than all other work of an insert together. lz4 takes a tenth of it;
 * a server that was built without it stores the texts as they are.
 */
export class TextCompression1700000002700 implements MigrationInterface {
  readonly name = 'TextCompression1700000002700';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DO $$
      DECLARE part regclass;
      BEGIN
        IF (SELECT 'lz4' = ANY (enumvals) FROM pg_settings WHERE name = 'default_toast_compression') THEN
          ${setEach('SET COMPRESSION lz4')}
        ELSE
          ${setEach('SET STORAGE EXTERNAL')}
        END IF;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DO $$
      DECLARE part regclass;
      BEGIN
        ${setEach('SET STORAGE EXTENDED')}
        ${setEach('SET COMPRESSION default')}
      END $$`);
  }
}
