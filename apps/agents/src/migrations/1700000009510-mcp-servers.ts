import { tenantTable } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  ...tenantTable(
    'agents',
    'mcp_servers',
    [
      'name text NOT NULL',
      'url text NOT NULL',
      'headers jsonb NOT NULL',
      'include_tools text[] NOT NULL',
      'exclude_tools text[] NOT NULL',
      `tools jsonb NOT NULL DEFAULT '[]'`,
      'refreshed_at bigint',
      'refresh_error jsonb',
      `drift jsonb NOT NULL DEFAULT '[]'`,
    ],
    [`CREATE UNIQUE INDEX mcp_servers_name ON agents.mcp_servers (company_id, name) WHERE deleted_at IS NULL`],
  ),
  `ALTER TABLE agents.agents ADD COLUMN mcp_servers int[] NOT NULL DEFAULT '{}'`,
  // The step of a call that may not be repeated.
  'ALTER TABLE agents.tasks ADD COLUMN calling_step int',
];

/** Servers of the Model Context Protocol, and the agents that use them. */
export class McpServers1700000009510 implements MigrationInterface {
  readonly name = 'McpServers1700000009510';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agents.tasks DROP COLUMN calling_step');
    await runner.query('ALTER TABLE agents.agents DROP COLUMN mcp_servers');
    await runner.query('DROP TABLE agents.mcp_servers');
  }
}
