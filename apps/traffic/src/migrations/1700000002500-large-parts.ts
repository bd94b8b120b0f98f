import { protect, rolesOf } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const SERVICE = 'traffic';
const { runtime, worker } = rolesOf(SERVICE);

const statements = [
  // The object keys of the offloaded parts of a request; null for most requests.
  `ALTER TABLE traffic.requests ADD COLUMN objects jsonb`,
  `GRANT UPDATE (objects) ON traffic.requests TO ${runtime}`,
  // The reverse lookup: the requests that reference an object.
  `CREATE TABLE traffic.request_objects (
    company_id int NOT NULL,
    object_key text NOT NULL,
    request_id uuid NOT NULL,
    part text NOT NULL,
    date_created bigint NOT NULL,
    PRIMARY KEY (company_id, object_key, request_id, part)
  )`,
  `CREATE INDEX request_objects_request ON traffic.request_objects (company_id, request_id)`,
  ...protect(SERVICE, 'request_objects'),
  // One row: when a process last began a sweep for unreferenced objects.
  `CREATE TABLE traffic.object_sweep (one boolean PRIMARY KEY DEFAULT true CHECK (one), began_at bigint NOT NULL)`,
  `INSERT INTO traffic.object_sweep (began_at) VALUES (0)`,
  `GRANT SELECT, UPDATE (began_at) ON traffic.object_sweep TO ${worker}`,
];

/** Large parts of requests outside of the database. */
export class LargeParts1700000002500 implements MigrationInterface {
  readonly name = 'LargeParts1700000002500';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE traffic.object_sweep, traffic.request_objects');
    await runner.query('ALTER TABLE traffic.requests DROP COLUMN objects');
  }
}
