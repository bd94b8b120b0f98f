import type { MigrationInterface, QueryRunner } from 'typeorm';
import { NOW_MS, openToWorker, protect, rolesOf } from './schema.js';

function statements(service: string): string[] {
  const s = `"${service}"`;
  return [
    `CREATE TABLE ${s}.outbox (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      message_id uuid NOT NULL,
      company_id int NOT NULL,
      subject text NOT NULL,
      -- Gone again within moments: compressing it would cost more than writing it.
      payload text STORAGE EXTERNAL NOT NULL,
      date_created bigint NOT NULL DEFAULT ${NOW_MS},
      sent_at bigint
    )`,
    `CREATE INDEX outbox_unsent ON ${s}.outbox (id) WHERE sent_at IS NULL`,
    `CREATE INDEX outbox_sent ON ${s}.outbox (sent_at) WHERE sent_at IS NOT NULL`,
    ...protect(service, 'outbox', 'INSERT'),
    ...openToWorker(service, 'outbox', 'SELECT, UPDATE (sent_at), DELETE'),
    `CREATE TABLE ${s}.inbox (
      company_id int NOT NULL,
      consumer text NOT NULL,
      message_id text NOT NULL,
      date_created bigint NOT NULL DEFAULT ${NOW_MS},
      PRIMARY KEY (company_id, consumer, message_id)
    )`,
    ...protect(service, 'inbox', 'SELECT, INSERT'),
    ...openToWorker(service, 'inbox', 'SELECT, DELETE'),
    `CREATE TABLE ${s}.dead_letters (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      company_id int NOT NULL,
      consumer text NOT NULL,
      message_id text NOT NULL,
      subject text NOT NULL,
      payload text NOT NULL,
      cause text NOT NULL,
      date_created bigint NOT NULL DEFAULT ${NOW_MS},
      UNIQUE (consumer, message_id)
    )`,
    ...protect(service, 'dead_letters', 'SELECT'),
    ...openToWorker(service, 'dead_letters', 'SELECT, INSERT, DELETE'),
    `CREATE TABLE ${s}.work (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      company_id int NOT NULL,
      kind text NOT NULL,
      ref text NOT NULL,
      due_at timestamptz NOT NULL DEFAULT now(),
      lease_owner uuid,
      fence int NOT NULL DEFAULT 0,
      attempt int NOT NULL DEFAULT 0,
      done_at timestamptz,
      UNIQUE (company_id, kind, ref)
    )`,
    `CREATE INDEX work_due ON ${s}.work (kind, due_at) WHERE done_at IS NULL`,
    ...protect(service, 'work', 'SELECT, INSERT, UPDATE'),
    ...openToWorker(service, 'work', 'SELECT, UPDATE, DELETE'),
    `CREATE TABLE ${s}.idempotency (
      company_id int NOT NULL,
      route text NOT NULL,
      key text NOT NULL,
      body_hash text NOT NULL,
      locked_until bigint NOT NULL,
      holder uuid,
      effect text,
      status int,
      reply text,
      date_created bigint NOT NULL DEFAULT ${NOW_MS},
      PRIMARY KEY (company_id, route, key)
    )`,
    ...protect(service, 'idempotency'),
    ...openToWorker(service, 'idempotency', 'SELECT, DELETE'),
    `CREATE TABLE ${s}.bus_state (id int PRIMARY KEY DEFAULT 1 CHECK (id = 1), stream_birth text NOT NULL)`,
    `GRANT SELECT, INSERT, UPDATE ON ${s}.bus_state TO ${rolesOf(service).worker}`,
  ];
}

export function infrastructure(service: string): new () => MigrationInterface {
  return class Infrastructure1700000000000 implements MigrationInterface {
    readonly name = 'Infrastructure1700000000000';

    async up(runner: QueryRunner): Promise<void> {
      for (const statement of statements(service)) await runner.query(statement);
    }

    down(): Promise<void> {
      return Promise.reject(new Error('the infrastructure of a schema is not taken down: drop the schema'));
    }
  };
}
