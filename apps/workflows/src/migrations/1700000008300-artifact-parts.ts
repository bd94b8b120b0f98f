import { NOW_MS, openToWorker, protect, rolesOf } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const SERVICE = 'workflows';
const { worker } = rolesOf(SERVICE);

const statements = [
  // The content of a large file: objects in the order of their numbers. A small one is one object under its hash.
  `CREATE TABLE workflows.artifact_parts (
    company_id int NOT NULL,
    upload_id uuid NOT NULL,
    part int NOT NULL,
    sha256 text NOT NULL,
    size_bytes int NOT NULL,
    date_created bigint NOT NULL DEFAULT ${NOW_MS},
    PRIMARY KEY (company_id, upload_id, part)
  )`,
  'CREATE INDEX artifact_parts_created ON workflows.artifact_parts (date_created)',
  'CREATE INDEX artifact_parts_object ON workflows.artifact_parts (company_id, sha256)',
  ...protect(SERVICE, 'artifact_parts', 'SELECT, INSERT, DELETE'),
  'ALTER TABLE workflows.artifacts ADD COLUMN upload_id uuid',
  `CREATE INDEX artifacts_upload ON workflows.artifacts (company_id, upload_id) WHERE upload_id IS NOT NULL`,
  'CREATE INDEX artifacts_object ON workflows.artifacts (company_id, sha256) WHERE deleted_at IS NULL',
  'CREATE INDEX workflows_object ON workflows.workflows (company_id, script_key) WHERE deleted_at IS NULL',
  `CREATE INDEX runs_open ON workflows.runs (company_id) WHERE completed_at IS NULL`,
  // Finds uploads that no artifact has, and deletes them.
  ...openToWorker(SERVICE, 'artifact_parts', 'SELECT, DELETE'),
  ...openToWorker(SERVICE, 'artifacts', 'SELECT'),
  // One row: when a process last began a sweep for unreferenced objects.
  'CREATE TABLE workflows.object_sweep (one boolean PRIMARY KEY DEFAULT true CHECK (one), began_at bigint NOT NULL)',
  'INSERT INTO workflows.object_sweep (began_at) VALUES (0)',
  `GRANT SELECT, UPDATE (began_at) ON workflows.object_sweep TO ${worker}`,
];

/** Contents of artifacts in parts, and what finds objects that nothing refers to. */
export class ArtifactParts1700000008300 implements MigrationInterface {
  readonly name = 'ArtifactParts1700000008300';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE workflows.object_sweep, workflows.artifact_parts');
    await runner.query('ALTER TABLE workflows.artifacts DROP COLUMN upload_id');
    await runner.query('DROP INDEX workflows.artifacts_object, workflows.workflows_object, workflows.runs_open');
  }
}
