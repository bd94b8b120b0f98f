import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = (s: string): string[] => [
  // When a job that was woken while it ran is due again; null when it was not woken.
  `ALTER TABLE ${s}.work ADD COLUMN again_at timestamptz`,
  // Claims from a long backlog take the oldest jobs of each company in turn.
  `CREATE INDEX work_due_of_company ON ${s}.work (kind, company_id, due_at) WHERE done_at IS NULL`,
];

/** Allows jobs to be woken while they run, and to be claimed company by company. */
export function workTable(service: string): new () => MigrationInterface {
  return class WorkTable1700000000100 implements MigrationInterface {
    readonly name = 'WorkTable1700000000100';

    async up(runner: QueryRunner): Promise<void> {
      for (const statement of statements(`"${service}"`)) await runner.query(statement);
    }

    async down(runner: QueryRunner): Promise<void> {
      await runner.query(`DROP INDEX "${service}".work_due_of_company`);
      await runner.query(`ALTER TABLE "${service}".work DROP COLUMN again_at`);
    }
  };
}
