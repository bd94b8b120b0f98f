import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes of the lists of runs that select few rows of many. */
export class RunLists1700000008400 implements MigrationInterface {
  readonly name = 'RunLists1700000008400';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX runs_of_application ON workflows.runs (company_id, application_id, no)');
    await runner.query(
      'CREATE INDEX runs_failed ON workflows.runs (company_id, failure_class, no) WHERE failure_class IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX workflows.runs_of_application, workflows.runs_failed');
  }
}
