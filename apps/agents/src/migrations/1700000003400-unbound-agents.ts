import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // The row of a deleted application stays, so that no agent can be bound to it.
  `ALTER TABLE agents.application_names ADD COLUMN deleted boolean NOT NULL DEFAULT false`,
  `ALTER TABLE agents.agents ALTER COLUMN application_id DROP NOT NULL`,
  `ALTER TABLE agents.tasks ALTER COLUMN application_id DROP NOT NULL`,
];

/** Agents without an application, after theirs was deleted with force. */
export class UnboundAgents1700000003400 implements MigrationInterface {
  readonly name = 'UnboundAgents1700000003400';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE agents.application_names DROP COLUMN deleted`);
  }
}
