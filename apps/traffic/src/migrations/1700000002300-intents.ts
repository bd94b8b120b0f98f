import { tenantTable } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const SERVICE = 'traffic';

const applications = [
  `ALTER TABLE traffic.applications
    ADD COLUMN config jsonb NOT NULL DEFAULT '{}',
    ADD COLUMN fault_notifications boolean NOT NULL DEFAULT false,
    ADD COLUMN session_summaries boolean NOT NULL DEFAULT false`,
  // Calls refer to applications by name or reference name.
  `CREATE INDEX applications_name ON traffic.applications (company_id, application_name) WHERE deleted_at IS NULL`,
];

const groups = tenantTable(
  SERVICE,
  'intent_groups',
  [
    'intent_group_name text NOT NULL',
    'description text',
    `config jsonb NOT NULL DEFAULT '{}'`,
    `meta jsonb NOT NULL DEFAULT '{}'`,
  ],
  [
    `CREATE UNIQUE INDEX intent_groups_name ON traffic.intent_groups (company_id, intent_group_name) WHERE deleted_at IS NULL`,
  ],
);

const intents = tenantTable(
  SERVICE,
  'intents',
  [
    'application_id int NOT NULL',
    'intent_group_id int NOT NULL',
    'action_type text NOT NULL',
    'description text',
    'prompt text',
    `config jsonb NOT NULL DEFAULT '{}'`,
    `meta jsonb NOT NULL DEFAULT '{}'`,
    'agent_id int',
    'notifications_enabled boolean NOT NULL DEFAULT false',
    'FOREIGN KEY (company_id, application_id) REFERENCES traffic.applications (company_id, id)',
    'FOREIGN KEY (company_id, intent_group_id) REFERENCES traffic.intent_groups (company_id, id)',
  ],
  [
    `CREATE UNIQUE INDEX intents_action_type ON traffic.intents (company_id, application_id, action_type) WHERE deleted_at IS NULL`,
    `CREATE INDEX intents_group ON traffic.intents (company_id, intent_group_id) WHERE deleted_at IS NULL`,
  ],
);

const requests = [
  `CREATE INDEX requests_group ON traffic.requests (company_id, intent_group_id, id) WHERE intent_group_id IS NOT NULL`,
];

/** Intents, their groups, and configurations. */
export class Intents1700000002300 implements MigrationInterface {
  readonly name = 'Intents1700000002300';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...applications, ...groups, ...intents, ...requests]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX traffic.requests_group');
    await runner.query('DROP TABLE traffic.intents, traffic.intent_groups');
    await runner.query(
      `ALTER TABLE traffic.applications DROP COLUMN config, DROP COLUMN fault_notifications, DROP COLUMN session_summaries`,
    );
  }
}
