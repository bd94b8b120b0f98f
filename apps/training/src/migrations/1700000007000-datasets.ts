import { tenantTable, uploadPartsTable } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const SERVICE = 'training';

const statements = [
  ...tenantTable(
    SERVICE,
    'datasets',
    [
      'dataset_name text NOT NULL',
      'description text',
      'intent_group_id int NOT NULL',
      'application_id int',
      `status text NOT NULL DEFAULT 'DRAFT' CHECK (status IN ('DRAFT', 'READY', 'ARCHIVED'))`,
      // Written with the rows under the row lock of the dataset.
      'request_count int NOT NULL DEFAULT 0 CHECK (request_count >= 0)',
      `tags jsonb NOT NULL DEFAULT '[]'`,
      `meta jsonb NOT NULL DEFAULT '{}'`,
      `CHECK (status <> 'READY' OR request_count > 0)`,
    ],
    [
      'CREATE UNIQUE INDEX datasets_name ON training.datasets (company_id, dataset_name) WHERE deleted_at IS NULL',
      'CREATE INDEX datasets_group ON training.datasets (company_id, intent_group_id, id) WHERE deleted_at IS NULL',
    ],
  ),
  ...tenantTable(
    SERVICE,
    'dataset_requests',
    [
      'dataset_id int NOT NULL',
      'request_id uuid',
      `source text NOT NULL CHECK (source IN ('REQUEST', 'UPLOAD', 'MANUAL', 'AUGMENTED'))`,
      'is_corrected boolean NOT NULL DEFAULT false',
      // json, not jsonb: a model learns the keys of arguments in their order.
      'messages json NOT NULL',
      'response json NOT NULL',
      'tools json',
      'reasoning jsonb',
      `meta jsonb NOT NULL DEFAULT '{}'`,
      // Of the messages, by which rows are compared with the inputs of test items.
      'input_hash text NOT NULL',
      'body_bytes int NOT NULL',
      `CHECK ((source = 'REQUEST') = (request_id IS NOT NULL))`,
      'FOREIGN KEY (company_id, dataset_id) REFERENCES training.datasets (company_id, id)',
    ],
    [
      `CREATE UNIQUE INDEX dataset_requests_request ON training.dataset_requests (company_id, dataset_id, request_id)
        WHERE request_id IS NOT NULL AND deleted_at IS NULL`,
      `CREATE INDEX dataset_requests_of_dataset ON training.dataset_requests (company_id, dataset_id, id) WHERE deleted_at IS NULL`,
    ],
  ),
  ...uploadPartsTable(SERVICE),
];

/** Datasets, their rows, and the parts of uploaded files. */
export class Datasets1700000007000 implements MigrationInterface {
  readonly name = 'Datasets1700000007000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE training.upload_parts, training.dataset_requests, training.datasets');
  }
}
