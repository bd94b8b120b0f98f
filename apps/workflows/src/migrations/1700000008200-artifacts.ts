import { tenantTable } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = tenantTable(
  'workflows',
  'artifacts',
  [
    'workflow_id int NOT NULL',
    // Set when the script of a run has written it; it is deleted with its run.
    'run_id uuid',
    'key text NOT NULL',
    'content_type text NOT NULL',
    'size_bytes bigint NOT NULL',
    // Hash of the content, under which it is in the object store.
    'sha256 text NOT NULL',
    'FOREIGN KEY (company_id, workflow_id) REFERENCES workflows.workflows (company_id, id)',
    'FOREIGN KEY (company_id, run_id) REFERENCES workflows.runs (company_id, id) ON DELETE CASCADE',
  ],
  [
    `CREATE UNIQUE INDEX artifacts_key ON workflows.artifacts (company_id, workflow_id, key)
      WHERE run_id IS NULL AND deleted_at IS NULL`,
    `CREATE UNIQUE INDEX artifacts_of_run ON workflows.artifacts (company_id, run_id, key)
      WHERE run_id IS NOT NULL AND deleted_at IS NULL`,
  ],
);

/** Files of workflows and of their runs. */
export class Artifacts1700000008200 implements MigrationInterface {
  readonly name = 'Artifacts1700000008200';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE workflows.artifacts');
  }
}
