import { tenantTable } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = tenantTable(
  'test-runs',
  'evaluation_criteria',
  [
    'name text NOT NULL',
    'description text',
    `criteria_type text NOT NULL CHECK (criteria_type IN ('BOOLEAN', 'NUMERIC'))`,
    `method text NOT NULL CHECK (method IN ('LLM', 'EXACT', 'JSON_FIELDS', 'CONTAINS', 'REGEX', 'JSON_SCHEMA'))`,
    'prompt text',
    `config jsonb NOT NULL DEFAULT '{}'`,
    'pass_threshold double precision NOT NULL',
    'weight double precision NOT NULL',
    'enabled boolean NOT NULL',
    `CHECK (method = 'LLM' OR criteria_type = 'BOOLEAN')`,
  ],
  [
    `CREATE UNIQUE INDEX evaluation_criteria_name ON "test-runs".evaluation_criteria (company_id, name) WHERE deleted_at IS NULL`,
  ],
);

/** Evaluation criteria. */
export class EvaluationCriteria1700000005000 implements MigrationInterface {
  readonly name = 'EvaluationCriteria1700000005000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE "test-runs".evaluation_criteria');
  }
}
