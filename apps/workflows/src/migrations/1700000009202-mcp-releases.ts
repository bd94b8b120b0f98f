import { mcpReleases } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Releases say whether clients of the Model Context Protocol may call them. */
export class McpReleases1700000009202 implements MigrationInterface {
  readonly name = 'McpReleases1700000009202';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(mcpReleases('workflows', 'workflow'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE workflows.workflow_releases DROP COLUMN mcp_enabled');
  }
}
