import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The models that a version names; null in versions that were published before, whose snapshots name them. */
export class ModelsOfVersions1700000009665 implements MigrationInterface {
  readonly name = 'ModelsOfVersions1700000009665';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agents.agent_versions ADD COLUMN models jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agents.agent_versions DROP COLUMN models');
  }
}
