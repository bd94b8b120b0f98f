import { runTables } from '@signalbox/runs';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { EVALUATION_RUN_SCHEMA } from './evaluation-run-schema.js';

const statements = [
  ...runTables(EVALUATION_RUN_SCHEMA),
  'CREATE INDEX evaluation_runs_of_company ON traffic.evaluation_runs (company_id, no)',
];

/** Evaluation runs. */
export class EvaluationRuns1700000002960 implements MigrationInterface {
  readonly name = 'EvaluationRuns1700000002960';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE traffic.evaluation_run_timeline, traffic.evaluation_run_events, traffic.evaluation_runs',
    );
  }
}
