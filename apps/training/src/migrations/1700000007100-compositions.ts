import { tenantTable } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = tenantTable(
  'training',
  'compositions',
  [
    'composition_name text NOT NULL',
    'description text',
    'intent_group_id int NOT NULL',
    `entries jsonb NOT NULL DEFAULT '[]'`,
    'validation_split double precision NOT NULL DEFAULT 0.1 CHECK (validation_split BETWEEN 0 AND 0.5)',
    'seed int NOT NULL DEFAULT 0 CHECK (seed >= 0)',
    `exclude_test_set_ids jsonb NOT NULL DEFAULT '[]'`,
    // Excluded rows by the id of their dataset, as they were counted last: test items are in another schema.
    `exclusions jsonb NOT NULL DEFAULT '{}'`,
  ],
  [
    'CREATE UNIQUE INDEX compositions_name ON training.compositions (company_id, composition_name) WHERE deleted_at IS NULL',
    'CREATE INDEX compositions_group ON training.compositions (company_id, intent_group_id, id) WHERE deleted_at IS NULL',
  ],
);

/** Compositions of datasets. */
export class Compositions1700000007100 implements MigrationInterface {
  readonly name = 'Compositions1700000007100';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE training.compositions');
  }
}
