import type { MigrationInterface, QueryRunner } from 'typeorm';

const BEFORE = ['LLM', 'EXACT', 'JSON_FIELDS', 'CONTAINS', 'REGEX', 'JSON_SCHEMA'];

/** Criteria by scripts, by steps, by latency and by cost. */
export class CriteriaOfScriptsAndSteps1700000009520 implements MigrationInterface {
  readonly name = 'CriteriaOfScriptsAndSteps1700000009520';

  async up(runner: QueryRunner): Promise<void> {
    await allow(runner, [...BEFORE, 'SCRIPT', 'STEPS', 'LATENCY', 'COST']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await allow(runner, BEFORE);
  }
}

/** A constraint that only allows more is not checked against the rows, which would lock the table as long. */
async function allow(runner: QueryRunner, methods: string[]): Promise<void> {
  const allowed = methods.map((method) => `'${method}'`).join(', ');
  await runner.query(
    `ALTER TABLE "test-runs".evaluation_criteria DROP CONSTRAINT evaluation_criteria_method_check,
       ADD CONSTRAINT evaluation_criteria_method_check CHECK (method IN (${allowed})) NOT VALID`,
  );
}
