import { NOW_MS, protect, tenantTable } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const SERVICE = 'traffic';

const tags = tenantTable(
  SERVICE,
  'tags',
  ['tag_name text NOT NULL', 'color text', 'description text'],
  [`CREATE UNIQUE INDEX tags_name ON traffic.tags (company_id, tag_name) WHERE deleted_at IS NULL`],
);

const assignments = [
  // No foreign key to requests: they are partitioned by day and dropped by partition.
  `CREATE TABLE traffic.request_tags (
    company_id int NOT NULL,
    tag_id int NOT NULL,
    request_id uuid NOT NULL,
    request_date bigint NOT NULL,
    date_created bigint NOT NULL DEFAULT ${NOW_MS},
    PRIMARY KEY (company_id, tag_id, request_id),
    FOREIGN KEY (company_id, tag_id) REFERENCES traffic.tags (company_id, id)
  )`,
  `CREATE INDEX request_tags_request ON traffic.request_tags (company_id, request_id)`,
  `CREATE INDEX request_tags_date ON traffic.request_tags (company_id, request_date)`,
  ...protect(SERVICE, 'request_tags'),
];

/** Tags of requests. */
export class Tags1700000002800 implements MigrationInterface {
  readonly name = 'Tags1700000002800';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...tags, ...assignments]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE traffic.request_tags, traffic.tags');
  }
}
