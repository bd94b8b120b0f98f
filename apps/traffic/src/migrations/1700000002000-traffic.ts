import { protect, rolesOf, tenantTable } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const SERVICE = 'traffic';
const { owner, runtime, worker } = rolesOf(SERVICE);

const STATUS = `status text NOT NULL DEFAULT 'ENABLED' CHECK (status IN ('ENABLED', 'DISABLED'))`;

const applications = tenantTable(
  SERVICE,
  'applications',
  [
    'application_name text NOT NULL',
    'application_ref_name text NOT NULL',
    'description text',
    `state text NOT NULL CHECK (state IN ('ENABLED', 'DISABLED'))`,
    `meta jsonb NOT NULL DEFAULT '{}'`,
  ],
  [
    `CREATE UNIQUE INDEX applications_ref_name ON traffic.applications (company_id, application_ref_name) WHERE deleted_at IS NULL`,
  ],
);

const providers = tenantTable(
  SERVICE,
  'providers',
  [
    'provider_name text NOT NULL',
    `kind text NOT NULL CHECK (kind IN ('openai_compatible', 'simulated'))`,
    `base_url text CHECK (kind = 'simulated' OR base_url IS NOT NULL)`,
    'api_key_sealed bytea',
    'api_key_last4 text',
    // Headers that may be shown; the values of authorization-like headers are sealed in the next column.
    `default_headers jsonb NOT NULL DEFAULT '{}'`,
    'headers_sealed bytea',
    'timeout_ms int NOT NULL DEFAULT 60000',
    STATUS,
    'built_in boolean NOT NULL DEFAULT false',
  ],
  [
    `CREATE UNIQUE INDEX providers_name ON traffic.providers (company_id, provider_name) WHERE deleted_at IS NULL`,
    `CREATE UNIQUE INDEX providers_built_in ON traffic.providers (company_id) WHERE built_in`,
  ],
);

const models = tenantTable(
  SERVICE,
  'models',
  [
    'model_name text NOT NULL',
    'display_name text NOT NULL',
    'provider_id int NOT NULL',
    'provider_model text NOT NULL',
    `model_type text NOT NULL DEFAULT 'BASE' CHECK (model_type IN ('BASE', 'FINETUNED'))`,
    'base_model text',
    'finetune_run_id int',
    'intent_group_id int',
    'context_window int',
    'input_price_per_mtok double precision',
    'output_price_per_mtok double precision',
    'supports_tools boolean NOT NULL DEFAULT true',
    'supports_json_schema boolean NOT NULL DEFAULT true',
    'trainable boolean NOT NULL DEFAULT false',
    STATUS,
    'built_in boolean NOT NULL DEFAULT false',
    'FOREIGN KEY (company_id, provider_id) REFERENCES traffic.providers (company_id, id)',
  ],
  [
    `CREATE UNIQUE INDEX models_name ON traffic.models (company_id, model_name) WHERE deleted_at IS NULL`,
    `CREATE INDEX models_provider ON traffic.models (company_id, provider_id) WHERE deleted_at IS NULL`,
  ],
);

const requests = [
  `CREATE SEQUENCE traffic.requests_id_seq`,
  // One partition per UTC day of `date_created`; a record keeps its date, so its key is as unique as its request_id.
  `CREATE TABLE traffic.requests (
    company_id int NOT NULL,
    id bigint NOT NULL DEFAULT nextval('traffic.requests_id_seq'),
    request_id uuid NOT NULL,
    application_id int,
    session_id text,
    reference_id text,
    request_type text NOT NULL,
    model text NOT NULL,
    provider text NOT NULL,
    -- Kept as it was said: taking it apart is for those who look into it.
    params json NOT NULL,
    response json,
    status text NOT NULL CHECK (status IN ('COMPLETED', 'FAILED')),
    failure_class text,
    error_message text,
    prompt_tokens bigint NOT NULL,
    completion_tokens bigint NOT NULL,
    total_tokens bigint NOT NULL,
    cost double precision,
    response_time_ms int NOT NULL,
    metadata json NOT NULL,
    date_created bigint NOT NULL,
    PRIMARY KEY (company_id, request_id, date_created)
  ) PARTITION BY RANGE (date_created)`,
  `CREATE INDEX requests_newest ON traffic.requests (company_id, id)`,
  `ALTER SEQUENCE traffic.requests_id_seq OWNED BY traffic.requests.id`,
  `GRANT USAGE ON SEQUENCE traffic.requests_id_seq TO ${runtime}`,
  ...protect(SERVICE, 'requests', 'SELECT, INSERT'),
  // Long prompts are compressed several times faster by lz4, where Postgres was built with it.
  `DO $$ BEGIN
    IF (SELECT 'lz4' = ANY(enumvals) FROM pg_settings WHERE name = 'default_toast_compression') THEN
      ALTER TABLE traffic.requests ALTER params SET COMPRESSION lz4, ALTER response SET COMPRESSION lz4;
    END IF;
  END $$`,
  `CREATE TABLE traffic.requests_default PARTITION OF traffic.requests DEFAULT`,
  `ALTER TABLE traffic.requests_default ENABLE ROW LEVEL SECURITY`,
  `ALTER TABLE traffic.requests_default FORCE ROW LEVEL SECURITY`,
  // The service may not create tables; this function creates only the partitions of the coming days.
  `CREATE FUNCTION traffic.make_request_partitions(days int) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
      day date;
      name text;
      starts bigint;
    BEGIN
      PERFORM pg_advisory_xact_lock(hashtext('traffic request partitions'));
      FOR n IN 0..least(days, 31) LOOP
        day := (now() AT TIME ZONE 'UTC')::date + n;
        name := 'requests_' || to_char(day, 'YYYYMMDD');
        starts := extract(epoch FROM day)::bigint * 1000;
        CONTINUE WHEN to_regclass('traffic.' || name) IS NOT NULL;
        BEGIN
          EXECUTE format('CREATE TABLE traffic.%I PARTITION OF traffic.requests FOR VALUES FROM (%s) TO (%s)', name, starts, starts + 86400000);
          EXECUTE format('ALTER TABLE traffic.%I ENABLE ROW LEVEL SECURITY', name);
          EXECUTE format('ALTER TABLE traffic.%I FORCE ROW LEVEL SECURITY', name);
        EXCEPTION WHEN check_violation THEN
          -- Rows of that day went into the default partition already, and there the day stays.
          NULL;
        END;
      END LOOP;
    END $$`,
  `REVOKE EXECUTE ON FUNCTION traffic.make_request_partitions(int) FROM PUBLIC`,
  `GRANT EXECUTE ON FUNCTION traffic.make_request_partitions(int) TO ${worker}`,
  `GRANT EXECUTE ON FUNCTION traffic.make_request_partitions(int) TO ${owner}`,
  `SELECT traffic.make_request_partitions(7)`,
];

/** Applications, providers, models and the request log. */
export class Traffic1700000002000 implements MigrationInterface {
  readonly name = 'Traffic1700000002000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...applications, ...providers, ...models, ...requests]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION traffic.make_request_partitions(int)');
    await runner.query('DROP TABLE traffic.requests, traffic.models, traffic.providers, traffic.applications');
  }
}
