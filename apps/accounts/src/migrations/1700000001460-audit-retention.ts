import { NOW_MS, rolesOf } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const { worker } = rolesOf('accounts');
/** No role can delete an entry that is younger, whatever the setting is. */
const LEAST_AGE_MS = 30 * 86_400_000;
const IS_OLD = `date_created < ${NOW_MS} - ${LEAST_AGE_MS}`;

/** Allows the worker role to delete old entries of the audit log, and to read of them what it finds them by. */
export class AuditRetention1700000001460 implements MigrationInterface {
  readonly name = 'AuditRetention1700000001460';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE POLICY old_entries ON accounts.audit_log FOR SELECT TO ${worker} USING (${IS_OLD})`);
    await runner.query(`CREATE POLICY retention ON accounts.audit_log FOR DELETE TO ${worker} USING (${IS_OLD})`);
    await runner.query(`GRANT SELECT (company_id, id, date_created), DELETE ON accounts.audit_log TO ${worker}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`REVOKE SELECT (company_id, id, date_created), DELETE ON accounts.audit_log FROM ${worker}`);
    await runner.query('DROP POLICY retention ON accounts.audit_log');
    await runner.query('DROP POLICY old_entries ON accounts.audit_log');
  }
}
