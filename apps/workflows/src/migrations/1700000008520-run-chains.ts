import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Runs have a place in a chain of agents and workflows, and a count of the executions that they have lost. */
export class RunChains1700000008520 implements MigrationInterface {
  readonly name = 'RunChains1700000008520';

  async up(runner: QueryRunner): Promise<void> {
    // The task or run at the top, the task that has called the run, when it has to end and what it may cost.
    await runner.query(
      `ALTER TABLE workflows.runs ADD COLUMN root_id uuid, ADD COLUMN called_by uuid, ADD COLUMN ends_by bigint,
         ADD COLUMN max_cost double precision, ADD COLUMN lost_executions int NOT NULL DEFAULT 0`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE workflows.runs DROP COLUMN root_id, DROP COLUMN called_by, DROP COLUMN ends_by,
         DROP COLUMN max_cost, DROP COLUMN lost_executions`,
    );
  }
}
