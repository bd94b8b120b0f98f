import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The list of all tasks of a company is read in the order of their acceptance. */
export class TasksOfCompany1700000003600 implements MigrationInterface {
  readonly name = 'TasksOfCompany1700000003600';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX tasks_of_company ON agents.tasks (company_id, no)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX agents.tasks_of_company');
  }
}
