import type { MigrationInterface, QueryRunner } from 'typeorm';

const BEFORE = ['MODEL', 'WORKFLOW', 'AGENT'];

/** Runs against programs that run elsewhere, which need not be agents. */
export class ExternalRuns1700000009102 implements MigrationInterface {
  readonly name = 'ExternalRuns1700000009102';

  async up(runner: QueryRunner): Promise<void> {
    await allow(runner, [...BEFORE, 'EXTERNAL']);
    await runner.query('ALTER TABLE "test-runs".runs ALTER COLUMN consumer_id DROP NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "test-runs".runs ALTER COLUMN consumer_id SET NOT NULL');
    await allow(runner, BEFORE);
  }
}

/** A constraint that only allows more is not checked against the rows, which would lock the table as long. */
async function allow(runner: QueryRunner, kinds: string[]): Promise<void> {
  const allowed = kinds.map((kind) => `'${kind}'`).join(', ');
  await runner.query(
    `ALTER TABLE "test-runs".runs DROP CONSTRAINT runs_consumer_kind_check,
       ADD CONSTRAINT runs_consumer_kind_check CHECK (consumer_kind IN (${allowed})) NOT VALID`,
  );
}
