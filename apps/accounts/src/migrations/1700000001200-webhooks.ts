import { openToWorker, tenantTable } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const SERVICE = 'accounts';
const OF_WEBHOOK = 'FOREIGN KEY (company_id, webhook_id) REFERENCES accounts.webhooks (company_id, id)';

const statements = [
  ...tenantTable(
    SERVICE,
    'webhooks',
    [
      'url text NOT NULL',
      'events text[] NOT NULL CHECK (cardinality(events) > 0)',
      'description text',
      'enabled boolean NOT NULL',
      'disabled_reason text',
      'secret bytea NOT NULL',
      'previous_secret bytea',
      'previous_until bigint',
      'secret_last4 text NOT NULL',
      'failed_in_row int NOT NULL DEFAULT 0',
      'last_delivery_at bigint',
    ],
    [`CREATE INDEX webhooks_enabled ON accounts.webhooks (company_id) WHERE enabled AND deleted_at IS NULL`],
  ),
  ...tenantTable(
    SERVICE,
    'webhook_deliveries',
    [
      'webhook_id int NOT NULL',
      'event_id uuid NOT NULL',
      'event text NOT NULL',
      `status text NOT NULL CHECK (status IN ('PENDING', 'SUCCEEDED', 'FAILED'))`,
      'attempt_count int NOT NULL DEFAULT 0',
      'next_attempt_at bigint',
      'last_status_code int',
      'last_error text',
      'request_body text NOT NULL',
      `response_excerpt text NOT NULL DEFAULT ''`,
      'duration_ms int',
      'replay_of int',
      OF_WEBHOOK,
    ],
    [
      // An event that is consumed again reaches each webhook once.
      `CREATE UNIQUE INDEX webhook_deliveries_event ON accounts.webhook_deliveries (company_id, webhook_id, event_id) WHERE replay_of IS NULL`,
      `CREATE INDEX webhook_deliveries_of_webhook ON accounts.webhook_deliveries (company_id, webhook_id, id)`,
      `CREATE INDEX webhook_deliveries_pending ON accounts.webhook_deliveries (company_id, webhook_id) WHERE status = 'PENDING'`,
      `CREATE INDEX webhook_deliveries_created ON accounts.webhook_deliveries USING brin (date_created)`,
      ...openToWorker(SERVICE, 'webhook_deliveries', 'SELECT, DELETE'),
    ],
  ),
];

/** Webhooks of a company and the log of their deliveries. */
export class Webhooks1700000001200 implements MigrationInterface {
  readonly name = 'Webhooks1700000001200';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE accounts.webhook_deliveries, accounts.webhooks');
  }
}
