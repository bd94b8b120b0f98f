import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A partition needs the lock of the whole log, behind which every later statement waits: for as long as a backup reads. The
 * coming seven days have theirs, so this gives way and is tried again within the hour.
 */
export class PartitionLockTimeout1700000009671 implements MigrationInterface {
  readonly name = 'PartitionLockTimeout1700000009671';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER FUNCTION traffic.make_request_partitions(int) SET lock_timeout = '1s'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER FUNCTION traffic.make_request_partitions(int) RESET lock_timeout');
  }
}
