import { openToWorker, tenantTable } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const SERVICE = 'accounts';

const statements = tenantTable(
  SERVICE,
  'portal_sessions',
  [
    'api_key_id int NOT NULL',
    'token_hash bytea NOT NULL CONSTRAINT portal_sessions_token UNIQUE',
    'is_ticket boolean NOT NULL',
    'last_seen_at bigint NOT NULL',
    'expires_at bigint NOT NULL',
    'user_agent text NOT NULL',
    'FOREIGN KEY (company_id, api_key_id) REFERENCES accounts.api_keys (company_id, id)',
  ],
  [
    `CREATE INDEX portal_sessions_expired ON accounts.portal_sessions (expires_at)`,
    ...openToWorker(SERVICE, 'portal_sessions', 'SELECT, UPDATE (last_seen_at, date_updated), DELETE'),
  ],
);

/** Browsers that are signed in to the portal. */
export class PortalSessions1700000001600 implements MigrationInterface {
  readonly name = 'PortalSessions1700000001600';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE accounts.portal_sessions');
  }
}
