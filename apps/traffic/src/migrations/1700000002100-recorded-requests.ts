import { openToWorker, rolesOf, tenantTable } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const SERVICE = 'traffic';
const { owner, runtime, worker } = rolesOf(SERVICE);

const COLUMNS = [
  'intent_id int',
  'intent_group_id int',
  `inference_location text NOT NULL DEFAULT 'SERVER'`,
  'fallback_used boolean NOT NULL DEFAULT false',
  'fallback_reason text',
  // The requested model, when the fallback answered.
  'primary_model text',
  'first_token_time_ms int',
  `evaluation_status text NOT NULL DEFAULT 'NA'`,
  'corrected_response jsonb',
  'correction_applied boolean NOT NULL DEFAULT false',
  'date_updated bigint',
  'deleted_at bigint',
];
const CHANGEABLE =
  'params, response, metadata, error_message, corrected_response, correction_applied, evaluation_status, date_updated, deleted_at';

const requests = [
  `ALTER TABLE traffic.requests ${COLUMNS.map((column) => `ADD COLUMN IF NOT EXISTS ${column}`).join(', ')},
    ALTER COLUMN response_time_ms DROP NOT NULL`,
  `GRANT UPDATE (${CHANGEABLE}), DELETE ON traffic.requests TO ${runtime}`,
  `CREATE INDEX requests_application ON traffic.requests (company_id, application_id, id)
    WHERE application_id IS NOT NULL AND deleted_at IS NULL`,
  `CREATE INDEX requests_session ON traffic.requests (company_id, session_id, id) WHERE session_id IS NOT NULL`,
  `CREATE INDEX requests_intent ON traffic.requests (company_id, intent_id, id) WHERE intent_id IS NOT NULL`,
  `CREATE INDEX requests_reference ON traffic.requests (company_id, reference_id) WHERE reference_id IS NOT NULL`,
  // Retention reads which companies have rows of a day, and no other column.
  ...openToWorker(SERVICE, 'requests', 'SELECT (company_id, date_created)'),
  // The service may not drop tables; this function drops only the partition of one past day.
  `CREATE FUNCTION traffic.drop_request_partition(day date) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '2s' AS $$
    BEGIN
      IF day >= (now() AT TIME ZONE 'UTC')::date THEN
        RAISE EXCEPTION 'the day % is not over', day;
      END IF;
      EXECUTE format('DROP TABLE IF EXISTS traffic.%I', 'requests_' || to_char(day, 'YYYYMMDD'));
    END $$`,
  `REVOKE EXECUTE ON FUNCTION traffic.drop_request_partition(date) FROM PUBLIC`,
  `GRANT EXECUTE ON FUNCTION traffic.drop_request_partition(date) TO ${worker}`,
  `GRANT EXECUTE ON FUNCTION traffic.drop_request_partition(date) TO ${owner}`,
];

const sessions = tenantTable(
  SERVICE,
  'sessions',
  [
    'session_id text NOT NULL',
    'application_id int',
    'request_count bigint NOT NULL DEFAULT 0',
    'fault_count bigint NOT NULL DEFAULT 0',
    'total_tokens bigint NOT NULL DEFAULT 0',
    'cost double precision',
    `metadata jsonb NOT NULL DEFAULT '{}'`,
    'summary text',
    'feedback_score int',
    'feedback_text text',
    'feedback_key_id int',
    'feedback_at bigint',
    'first_request_at bigint NOT NULL',
    'last_request_at bigint NOT NULL',
  ],
  [
    `CREATE UNIQUE INDEX sessions_name ON traffic.sessions (company_id, session_id) WHERE deleted_at IS NULL`,
    `CREATE INDEX sessions_application ON traffic.sessions (company_id, application_id, id)
      WHERE application_id IS NOT NULL AND deleted_at IS NULL`,
  ],
);

/** Columns for the lists of requests and sessions, corrections, and the retention of both. */
export class RecordedRequests1700000002100 implements MigrationInterface {
  readonly name = 'RecordedRequests1700000002100';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...requests, ...sessions]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE traffic.sessions');
    await runner.query('DROP FUNCTION traffic.drop_request_partition(date)');
    await runner.query('DROP POLICY worker ON traffic.requests');
    const names = COLUMNS.map((column) => `DROP COLUMN ${column.split(' ')[0] ?? ''}`);
    await runner.query(`ALTER TABLE traffic.requests ${names.join(', ')}`);
  }
}
