import { mcpReleases } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Releases say whether clients of the Model Context Protocol may call them. */
export class McpReleases1700000009201 implements MigrationInterface {
  readonly name = 'McpReleases1700000009201';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(mcpReleases('agents', 'agent'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agents.agent_releases DROP COLUMN mcp_enabled');
  }
}
