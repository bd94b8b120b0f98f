import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tasks have a place in a chain of agents and workflows. */
export class TaskChains1700000004320 implements MigrationInterface {
  readonly name = 'TaskChains1700000004320';

  async up(runner: QueryRunner): Promise<void> {
    // The task or run at the top, the run of another service that has called the task, and when it has to end.
    await runner.query(
      'ALTER TABLE agents.tasks ADD COLUMN root_id uuid, ADD COLUMN called_by uuid, ADD COLUMN ends_by bigint',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agents.tasks DROP COLUMN root_id, DROP COLUMN called_by, DROP COLUMN ends_by');
  }
}
