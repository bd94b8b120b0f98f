import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // A deleted application stays as a mark, so that no agent is bound to it any more.
  `ALTER TABLE agents.application_names ADD COLUMN deleted boolean NOT NULL DEFAULT false`,
  `ALTER TABLE agents.agents ALTER COLUMN application_id DROP NOT NULL`,
  `ALTER TABLE agents.tasks ALTER COLUMN application_id DROP NOT NULL`,
];

/** Agents whose application was deleted with force live on without one. */
export class UnboundAgents1700000003400 implements MigrationInterface {
  readonly name = 'UnboundAgents1700000003400';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE agents.application_names DROP COLUMN deleted`);
  }
}
