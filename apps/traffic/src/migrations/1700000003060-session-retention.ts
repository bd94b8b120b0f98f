import { openToWorker, rolesOf } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const { worker } = rolesOf('traffic');

/** Sessions are deleted once their company keeps none of their requests any longer. */
export class SessionRetention1700000003060 implements MigrationInterface {
  readonly name = 'SessionRetention1700000003060';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX sessions_active ON traffic.sessions (company_id, last_request_at)');
    // Which companies have old sessions is all that the worker role may read of them.
    for (const statement of openToWorker('traffic', 'sessions', 'SELECT (company_id, last_request_at)'))
      await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP POLICY worker ON traffic.sessions');
    await runner.query(`REVOKE SELECT (company_id, last_request_at) ON traffic.sessions FROM ${worker}`);
    await runner.query('DROP INDEX traffic.sessions_active');
  }
}
