import type { MigrationInterface, QueryRunner } from 'typeorm';

const BEFORE = ['API', 'CHAT', 'WORKFLOW', 'TEST', 'SUB_AGENT'];

/** Monitors start tasks as well. */
export class TaskTriggers1700000004000 implements MigrationInterface {
  readonly name = 'TaskTriggers1700000004000';

  up(runner: QueryRunner): Promise<void> {
    return allow(runner, [...BEFORE, 'MONITOR']);
  }

  down(runner: QueryRunner): Promise<void> {
    return allow(runner, BEFORE);
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
