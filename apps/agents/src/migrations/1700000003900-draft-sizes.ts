import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sizes of drafts, so that a draft that exceeds a limit may shrink but not grow. */
export class DraftSizes1700000003900 implements MigrationInterface {
  readonly name = 'DraftSizes1700000003900';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agents.agents ADD COLUMN draft_sizes jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agents.agents DROP COLUMN draft_sizes');
  }
}
