import { uploadPartsTable } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The parts of files that are being uploaded. */
export class UploadParts1700000005150 implements MigrationInterface {
  readonly name = 'UploadParts1700000005150';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of uploadPartsTable('test-runs')) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE "test-runs".upload_parts');
  }
}
