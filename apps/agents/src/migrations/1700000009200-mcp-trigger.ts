import type { MigrationInterface, QueryRunner } from 'typeorm';

const BEFORE = ['API', 'CHAT', 'WORKFLOW', 'TEST', 'SUB_AGENT', 'MONITOR'];

/** Clients of the Model Context Protocol start tasks as well. */
export class McpTrigger1700000009200 implements MigrationInterface {
  readonly name = 'McpTrigger1700000009200';

  up(runner: QueryRunner): Promise<void> {
    return allow(runner, [...BEFORE, 'EXTERNAL', 'MCP']);
  }

  down(runner: QueryRunner): Promise<void> {
    return allow(runner, [...BEFORE, 'EXTERNAL']);
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
