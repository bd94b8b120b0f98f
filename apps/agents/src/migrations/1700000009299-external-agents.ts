import type { MigrationInterface, QueryRunner } from 'typeorm';

const BEFORE = ['API', 'CHAT', 'WORKFLOW', 'TEST', 'SUB_AGENT', 'MONITOR', 'MCP'];

/** Agents that run elsewhere, and their tasks. */
export class ExternalAgents1700000009299 implements MigrationInterface {
  readonly name = 'ExternalAgents1700000009299';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE agents.agents ADD COLUMN kind text NOT NULL DEFAULT 'HOSTED' CHECK (kind IN ('HOSTED', 'EXTERNAL'))`,
    );
    await runner.query('ALTER TABLE agents.tasks ADD COLUMN reported_version text');
    await allow(runner, [...BEFORE, 'EXTERNAL']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await allow(runner, BEFORE);
    await runner.query('ALTER TABLE agents.tasks DROP COLUMN reported_version');
    await runner.query('ALTER TABLE agents.agents DROP COLUMN kind');
  }
}

/** A constraint that only allows more is not checked against the rows, which would lock the table as long. */
async function allow(runner: QueryRunner, triggers: string[]): Promise<void> {
  const allowed = triggers.map((trigger) => `'${trigger}'`).join(', ');
  await runner.query(
    `ALTER TABLE agents.tasks DROP CONSTRAINT tasks_trigger_check,
       ADD CONSTRAINT tasks_trigger_check CHECK (trigger IN (${allowed})) NOT VALID`,
  );
}
