import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ROWS_OF } from '../stores/outbox.sql.js';
import { rolesOf } from './schema.js';

function statements(service: string): string[] {
  const s = `"${service}"`;
  return [
    `CREATE INDEX outbox_unsent_events ON ${s}.outbox (id) WHERE sent_at IS NULL AND ${ROWS_OF.EVENTS}`,
    `CREATE INDEX outbox_unsent_audit ON ${s}.outbox (id) WHERE sent_at IS NULL AND ${ROWS_OF.AUDIT}`,
    `DROP INDEX ${s}.outbox_unsent`,
    // Rows are inserted in time order, so a BRIN index finds expired ones at a few bytes per block range.
    `CREATE INDEX inbox_created ON ${s}.inbox USING brin (date_created)`,
    `ALTER TABLE ${s}.bus_state ADD COLUMN audit_created text, ALTER COLUMN stream_birth DROP NOT NULL`,
    // The worker role re-inserts dead letters of the outbox.
    `GRANT INSERT ON ${s}.outbox TO ${rolesOf(service).worker}`,
  ];
}

export function streamInfrastructure(service: string): new () => MigrationInterface {
  return class StreamInfrastructure1700000000100 implements MigrationInterface {
    readonly name = 'StreamInfrastructure1700000000100';

    async up(runner: QueryRunner): Promise<void> {
      for (const statement of statements(service)) await runner.query(statement);
    }

    down(): Promise<void> {
      return Promise.reject(new Error('the infrastructure of a schema is not taken down: drop the schema'));
    }
  };
}
