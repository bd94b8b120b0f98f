import { protect, tenantTable, versionTables } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const SERVICE = 'agents';

const statements = [
  // Names of applications: copied when an agent is created, then updated by events; the newest name wins.
  `CREATE TABLE agents.application_names (
    company_id int NOT NULL,
    application_id int NOT NULL,
    application_name text NOT NULL,
    date_updated bigint NOT NULL,
    PRIMARY KEY (company_id, application_id)
  )`,
  ...protect(SERVICE, 'application_names', 'SELECT, INSERT, UPDATE'),
  ...tenantTable(
    SERVICE,
    'agents',
    [
      'application_id int NOT NULL',
      'agent_name text NOT NULL',
      'description text',
      `status text NOT NULL CHECK (status IN ('ENABLED', 'DISABLED'))`,
      `execution_mode text NOT NULL CHECK (execution_mode IN ('reasoning', 'route'))`,
      'model text',
      'system_prompt text',
      'strategy_prompt_addendum text',
      `agent_config jsonb NOT NULL DEFAULT '{}'`,
      'max_iterations int NOT NULL',
      'max_cost double precision',
      'response_format jsonb',
      'base_url text',
      `meta jsonb NOT NULL DEFAULT '{}'`,
      // Hashes of the draft and of the last published snapshot; they differ when there are unpublished changes.
      `draft_hash text NOT NULL DEFAULT ''`,
      'published_hash text',
      'FOREIGN KEY (company_id, application_id) REFERENCES agents.application_names (company_id, application_id)',
    ],
    [
      `CREATE UNIQUE INDEX agents_name ON agents.agents (company_id, application_id, agent_name) WHERE deleted_at IS NULL`,
    ],
  ),
  ...tenantTable(
    SERVICE,
    'actions',
    [
      'agent_id int NOT NULL',
      'action_name text NOT NULL',
      `action_type text NOT NULL CHECK (action_type IN ('llm', 'api', 'webhook', 'maitai_workflow'))`,
      'description text NOT NULL',
      'enabled boolean NOT NULL',
      'action_config jsonb',
      `meta jsonb NOT NULL DEFAULT '{}'`,
      'is_default boolean NOT NULL',
      `action_result_type text NOT NULL CHECK (action_result_type IN ('gather_info', 'complete_task'))`,
      `invocation_mode text NOT NULL CHECK (invocation_mode IN ('foreground', 'background'))`,
      `CHECK (NOT (is_default AND invocation_mode = 'background'))`,
      'FOREIGN KEY (company_id, agent_id) REFERENCES agents.agents (company_id, id)',
    ],
    [
      `CREATE UNIQUE INDEX actions_name ON agents.actions (company_id, agent_id, action_name) WHERE deleted_at IS NULL`,
      `CREATE UNIQUE INDEX actions_default ON agents.actions (company_id, agent_id) WHERE is_default AND deleted_at IS NULL`,
    ],
  ),
  ...versionTables(SERVICE, 'agent', 'agents', 'agent_id'),
];

/** Agents, their actions, and their versions and releases. */
export class Agents1700000003000 implements MigrationInterface {
  readonly name = 'Agents1700000003000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE agents.agent_release_moves, agents.agent_releases, agents.agent_versions, agents.actions, agents.agents, agents.application_names',
    );
  }
}
