import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = (s: string): string[] => [
  // When a job that was woken while it ran is due again; null when it was not woken.
  `ALTER TABLE ${s}.work ADD COLUMN again_at timestamptz`,
  // Claims take the oldest jobs of each company in turn.
  `CREATE INDEX work_due_of_company ON ${s}.work (kind, company_id, due_at) WHERE done_at IS NULL`,
];

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

const claimIndexes = (s: string): string[] => [
  `DROP INDEX ${s}.work_due, ${s}.work_due_of_company`,
  `CREATE INDEX work_due ON ${s}.work (kind, company_id, due_at) WHERE done_at IS NULL AND lease_owner IS NULL`,
  `CREATE INDEX work_leased ON ${s}.work (kind, due_at) WHERE done_at IS NULL AND lease_owner IS NOT NULL`,
];

const formerIndexes = (s: string): string[] => [
  `DROP INDEX ${s}.work_due, ${s}.work_leased`,
  `CREATE INDEX work_due ON ${s}.work (kind, due_at) WHERE done_at IS NULL`,
  `CREATE INDEX work_due_of_company ON ${s}.work (kind, company_id, due_at) WHERE done_at IS NULL`,
];

/**
 * Keeps each open job in one index: by company while it waits, by the end of its lease while it runs. Jobs change
 * faster than statistics, and with two indexes over the same rows the planner chose the wrong one.
 */
export function workClaimIndexes(service: string): new () => MigrationInterface {
  return class WorkClaimIndexes1700000000110 implements MigrationInterface {
    readonly name = 'WorkClaimIndexes1700000000110';

    async up(runner: QueryRunner): Promise<void> {
      for (const statement of claimIndexes(`"${service}"`)) await runner.query(statement);
    }

    async down(runner: QueryRunner): Promise<void> {
      for (const statement of formerIndexes(`"${service}"`)) await runner.query(statement);
    }
  };
}
