import { openToWorker, tenantTable } from '@signalbox/database';
import { runTables, secretHolderTable } from '@signalbox/runs';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TAG_RUN_SCHEMA } from './tag-run-schema.js';

const SERVICE = 'traffic';

const rules = [
  ...tenantTable(
    SERVICE,
    'tag_rules',
    [
      'rule_name text NOT NULL',
      'tag_id int NOT NULL',
      'application_id int',
      'intent_group_id int',
      'method text NOT NULL',
      'conditions jsonb',
      'prompt text',
      'apply_to_new boolean NOT NULL',
      'enabled boolean NOT NULL',
      'FOREIGN KEY (company_id, tag_id) REFERENCES traffic.tags (company_id, id)',
    ],
    [
      'CREATE UNIQUE INDEX tag_rules_name ON traffic.tag_rules (company_id, rule_name) WHERE deleted_at IS NULL',
      'CREATE INDEX tag_rules_of_tag ON traffic.tag_rules (company_id, tag_id)',
    ],
  ),
  // Which companies have rules for new requests is all that the worker role may learn of them.
  ...openToWorker(SERVICE, 'tag_rules', 'SELECT (company_id, enabled, apply_to_new, deleted_at)'),
];

const runs = [
  ...runTables(TAG_RUN_SCHEMA),
  'CREATE INDEX tag_runs_of_company ON traffic.tag_runs (company_id, no)',
  ...secretHolderTable(SERVICE),
];

/** Tag rules and tag runs. */
export class TagRules1700000002900 implements MigrationInterface {
  readonly name = 'TagRules1700000002900';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...rules, ...runs]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX traffic.work_held');
    await runner.query(
      `DROP TABLE traffic.tag_run_timeline, traffic.tag_run_events, traffic.tag_runs, traffic.secret_holders,
         traffic.tag_rules`,
    );
  }
}
