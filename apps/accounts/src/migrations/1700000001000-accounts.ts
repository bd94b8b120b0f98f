import { NOW_MS, openToWorker, protect, rolesOf, tenantTable } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const SERVICE = 'accounts';

const statements = [
  // A company is its own tenant: `company_id` repeats the id so that the common policy applies.
  `CREATE TABLE accounts.companies (
    id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    company_id int GENERATED ALWAYS AS (id) STORED,
    name text NOT NULL,
    settings jsonb NOT NULL DEFAULT '{}',
    egress_allow text[] NOT NULL DEFAULT '{}',
    date_created bigint NOT NULL DEFAULT ${NOW_MS},
    date_updated bigint NOT NULL DEFAULT ${NOW_MS},
    deleted_at bigint,
    UNIQUE (company_id, id)
  )`,
  ...protect(SERVICE, 'companies', 'SELECT, UPDATE'),
  // Companies are created and listed by operators only, outside any company.
  ...openToWorker(SERVICE, 'companies', 'SELECT, INSERT'),
  ...tenantTable(
    SERVICE,
    'api_keys',
    [
      'name text NOT NULL',
      'key_id text NOT NULL UNIQUE',
      'key_hash bytea NOT NULL',
      'last4 text NOT NULL',
      `scopes text[] NOT NULL CHECK (cardinality(scopes) > 0)`,
      'expires_at bigint',
      'last_used_at bigint',
      'revoked_at bigint',
      'created_by_key_id int',
      'FOREIGN KEY (company_id) REFERENCES accounts.companies (id)',
    ],
    // A key is looked up before its company is known, and its use is recorded in batches.
    openToWorker(SERVICE, 'api_keys', 'SELECT, UPDATE (last_used_at)'),
  ),
  `CREATE TABLE accounts.audit_log (
    company_id int NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    message_id text NOT NULL,
    actor_key_id int,
    action text NOT NULL,
    resource_type text NOT NULL,
    resource_id text NOT NULL,
    before jsonb,
    after jsonb,
    reason text,
    request_id text NOT NULL,
    date_created bigint NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE (company_id, message_id)
  )`,
  // No role has the right to update or delete entries.
  ...protect(SERVICE, 'audit_log', 'SELECT, INSERT'),
  `GRANT USAGE ON ALL SEQUENCES IN SCHEMA accounts TO ${rolesOf(SERVICE).runtime}, ${rolesOf(SERVICE).worker}`,
];

/** Companies, their keys and their audit log. */
export class Accounts1700000001000 implements MigrationInterface {
  readonly name = 'Accounts1700000001000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE accounts.audit_log, accounts.api_keys, accounts.companies');
  }
}
