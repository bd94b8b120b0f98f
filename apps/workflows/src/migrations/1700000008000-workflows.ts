import { linkReleaseMoves, protect, tenantTable, versionTables } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const SERVICE = 'workflows';

const statements = [
  // Names of applications: copied when a workflow is bound, then updated by events; the newest name wins. The row of a
  // deleted application stays, so that no workflow can be bound to it.
  `CREATE TABLE workflows.application_names (
    company_id int NOT NULL,
    application_id int NOT NULL,
    application_name text NOT NULL,
    date_updated bigint NOT NULL,
    deleted boolean NOT NULL DEFAULT false,
    PRIMARY KEY (company_id, application_id)
  )`,
  ...protect(SERVICE, 'application_names', 'SELECT, INSERT, UPDATE'),
  ...tenantTable(
    SERVICE,
    'workflows',
    [
      'application_id int',
      'workflow_ref_name text NOT NULL',
      'workflow_name text NOT NULL',
      'description text NOT NULL',
      `language text NOT NULL CHECK (language IN ('javascript', 'typescript', 'python'))`,
      // The script itself is an object of the object store under the hash of its content.
      'script_key text NOT NULL',
      'script_sha256 text NOT NULL',
      'script_has_transform boolean NOT NULL',
      'transform_session text',
      `execution_mode text NOT NULL CHECK (execution_mode IN ('sync', 'async', 'stream'))`,
      'input_schema jsonb',
      'output_schema jsonb',
      'allow_inproc_nesting boolean NOT NULL',
      `inproc_nested_refs jsonb NOT NULL DEFAULT '[]'`,
      'timeout_seconds int NOT NULL',
      'memory_mb int NOT NULL',
      `status text NOT NULL CHECK (status IN ('ENABLED', 'DISABLED'))`,
      `meta jsonb NOT NULL DEFAULT '{}'`,
      // Hashes of the draft and of the last published snapshot; they differ when there are unpublished changes.
      `draft_hash text NOT NULL DEFAULT ''`,
      'published_hash text',
      'FOREIGN KEY (company_id, application_id) REFERENCES workflows.application_names (company_id, application_id)',
    ],
    [
      `CREATE UNIQUE INDEX workflows_ref_name ON workflows.workflows (company_id, workflow_ref_name) WHERE deleted_at IS NULL`,
      `CREATE INDEX workflows_of_application ON workflows.workflows (company_id, application_id) WHERE deleted_at IS NULL`,
    ],
  ),
  ...versionTables(SERVICE, 'workflow', 'workflows', 'workflow_id'),
  ...linkReleaseMoves(SERVICE, 'workflow', 'workflow_id'),
];

/** Workflows, their versions and releases. */
export class Workflows1700000008000 implements MigrationInterface {
  readonly name = 'Workflows1700000008000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE workflows.workflow_release_moves, workflows.workflow_releases, workflows.workflow_versions, workflows.workflows, workflows.application_names',
    );
  }
}
