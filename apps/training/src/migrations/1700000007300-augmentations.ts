import { runTables } from '@signalbox/runs';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { AUGMENTATION_SCHEMA } from './augmentation-schema.js';

const statements = [
  ...runTables(AUGMENTATION_SCHEMA),
  'CREATE INDEX augmentations_of_dataset ON training.augmentations (company_id, dataset_id, no)',
];

/** Augmentations of datasets. */
export class Augmentations1700000007300 implements MigrationInterface {
  readonly name = 'Augmentations1700000007300';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE training.augmentation_events, training.augmentation_timeline, training.augmentations',
    );
  }
}
