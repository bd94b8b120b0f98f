import { linkReleaseMoves } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Moves of releases name their release by its id, because a release can be renamed. */
export class LinkedReleaseMoves1700000003500 implements MigrationInterface {
  readonly name = 'LinkedReleaseMoves1700000003500';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of linkReleaseMoves('agents', 'agent', 'agent_id')) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agents.agent_release_moves DROP COLUMN release_id');
  }
}
