import { tenantTable } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const SERVICE = 'test-runs';

const statements = [
  ...tenantTable(
    SERVICE,
    'test_sets',
    [
      'name text NOT NULL',
      'description text',
      `consumer_kinds jsonb NOT NULL DEFAULT '[]'`,
      `criteria_ids jsonb NOT NULL DEFAULT '[]'`,
      `tags jsonb NOT NULL DEFAULT '[]'`,
      `meta jsonb NOT NULL DEFAULT '{}'`,
      // Written with the items under the row lock of the set; positions are never used twice.
      'item_count int NOT NULL DEFAULT 0 CHECK (item_count >= 0)',
      'next_position int NOT NULL DEFAULT 0',
      'last_run_at bigint',
    ],
    [`CREATE UNIQUE INDEX test_sets_name ON "test-runs".test_sets (company_id, name) WHERE deleted_at IS NULL`],
  ),
  ...tenantTable(
    SERVICE,
    'test_set_items',
    [
      'test_set_id int NOT NULL',
      'position int NOT NULL',
      `source_type text NOT NULL CHECK (source_type IN ('MANUAL', 'REQUEST', 'WORKFLOW_RUN', 'AGENT_TASK'))`,
      'source_id text',
      'flatten_variant text',
      // The intent group of an imported request.
      'intent_group_id int',
      // json, not jsonb: a model is sent the keys of an input in their order.
      'input json NOT NULL',
      'expected_output json',
      'response_sub_id int',
      'baseline_hash text',
      `meta jsonb NOT NULL DEFAULT '{}'`,
      'body_bytes int NOT NULL',
      `CHECK ((source_type = 'MANUAL') = (source_id IS NULL))`,
      'FOREIGN KEY (company_id, test_set_id) REFERENCES "test-runs".test_sets (company_id, id)',
    ],
    [
      `CREATE UNIQUE INDEX test_set_items_source ON "test-runs".test_set_items (company_id, test_set_id, source_type, source_id)
        WHERE source_id IS NOT NULL AND deleted_at IS NULL`,
      `CREATE UNIQUE INDEX test_set_items_position ON "test-runs".test_set_items (company_id, test_set_id, position) WHERE deleted_at IS NULL`,
      `CREATE INDEX test_set_items_group ON "test-runs".test_set_items (company_id, intent_group_id, test_set_id)
        WHERE intent_group_id IS NOT NULL AND deleted_at IS NULL`,
    ],
  ),
  ...tenantTable(
    SERVICE,
    'response_subs',
    [
      'item_id int NOT NULL',
      'expected_output json NOT NULL',
      'note text',
      'author_key_id int',
      'FOREIGN KEY (company_id, item_id) REFERENCES "test-runs".test_set_items (company_id, id)',
    ],
    [
      `CREATE INDEX response_subs_of_item ON "test-runs".response_subs (company_id, item_id, id)`,
      `ALTER TABLE "test-runs".test_set_items ADD FOREIGN KEY (company_id, response_sub_id)
        REFERENCES "test-runs".response_subs (company_id, id)`,
    ],
  ),
];

/** Test sets, their items and the overrides of expected outputs. */
export class TestSets1700000005100 implements MigrationInterface {
  readonly name = 'TestSets1700000005100';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE "test-runs".response_subs, "test-runs".test_set_items, "test-runs".test_sets CASCADE',
    );
  }
}
