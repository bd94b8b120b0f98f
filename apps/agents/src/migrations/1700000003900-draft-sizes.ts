import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How large the drafts of agents are, so that one that is too large may shrink and not grow. */
export class DraftSizes1700000003900 implements MigrationInterface {
  readonly name = 'DraftSizes1700000003900';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agents.agents ADD COLUMN draft_sizes jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agents.agents DROP COLUMN draft_sizes');
  }
}
