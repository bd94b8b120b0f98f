import { rolesOf } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const { worker } = rolesOf('traffic');

/** Retention reads which companies and days have requests in the default partition, and no other column. */
export class DefaultPartition1700000003182 implements MigrationInterface {
  readonly name = 'DefaultPartition1700000003182';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE POLICY worker ON traffic.requests_default TO ${worker} USING (true)`);
    await runner.query(`GRANT SELECT (company_id, date_created) ON traffic.requests_default TO ${worker}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`REVOKE SELECT (company_id, date_created) ON traffic.requests_default FROM ${worker}`);
    await runner.query('DROP POLICY worker ON traffic.requests_default');
  }
}
