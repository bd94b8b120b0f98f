import { openToWorker, rolesOf } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const { worker } = rolesOf('agents');

/** Sessions are deleted once their company keeps none of their tasks any longer. */
export class SessionRetention1700000004200 implements MigrationInterface {
  readonly name = 'SessionRetention1700000004200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX sessions_active ON agents.sessions (company_id, last_activity)');
    // Which companies have old sessions is all that the worker role may read of them.
    for (const statement of openToWorker('agents', 'sessions', 'SELECT (company_id, last_activity)'))
      await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP POLICY worker ON agents.sessions');
    await runner.query(`REVOKE SELECT (company_id, last_activity) ON agents.sessions FROM ${worker}`);
    await runner.query('DROP INDEX agents.sessions_active');
  }
}
