import { NOW_MS, openToWorker, protect } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const SERVICE = 'test-runs';

const statements = [
  `CREATE TABLE "test-runs".upload_parts (
    company_id int NOT NULL,
    upload_id uuid NOT NULL,
    part int NOT NULL,
    content text NOT NULL,
    date_created bigint NOT NULL DEFAULT ${NOW_MS},
    PRIMARY KEY (company_id, upload_id, part)
  )`,
  // Each part is read once and deleted: compressing it costs more than its pages.
  'ALTER TABLE "test-runs".upload_parts ALTER COLUMN content SET STORAGE EXTERNAL',
  'CREATE INDEX upload_parts_created ON "test-runs".upload_parts (date_created)',
  ...protect(SERVICE, 'upload_parts', 'SELECT, INSERT, DELETE'),
  // Deletes what no call has imported.
  ...openToWorker(SERVICE, 'upload_parts', 'SELECT, DELETE'),
];

/** The parts of files that are being uploaded. */
export class UploadParts1700000005150 implements MigrationInterface {
  readonly name = 'UploadParts1700000005150';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE "test-runs".upload_parts');
  }
}
