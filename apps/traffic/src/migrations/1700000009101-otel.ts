import { openToWorker, protect } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const SERVICE = 'traffic';

const statements = [
  `CREATE TABLE traffic.otel_traces (
    company_id int NOT NULL,
    trace_id text NOT NULL,
    record_count int NOT NULL DEFAULT 0,
    bytes bigint NOT NULL DEFAULT 0,
    -- A test run has announced the trace; the span that its call names as the parent never arrives.
    is_test boolean NOT NULL DEFAULT false,
    caller_span_id text,
    first_arrival bigint NOT NULL,
    last_arrival bigint NOT NULL,
    closed_at bigint,
    -- When the records were deleted; the row stays, so that late repeats are told from new traces.
    pruned_at bigint,
    PRIMARY KEY (company_id, trace_id)
  )`,
  `CREATE INDEX otel_traces_open ON traffic.otel_traces (company_id) WHERE closed_at IS NULL AND record_count > 0`,
  `CREATE INDEX otel_traces_closed ON traffic.otel_traces (last_arrival, company_id)`,
  ...protect(SERVICE, 'otel_traces'),
  // Which companies have old traces is all that the worker role may learn of them.
  ...openToWorker(SERVICE, 'otel_traces', 'SELECT (company_id, last_arrival)'),
  `CREATE TABLE traffic.otel_records (
    company_id int NOT NULL,
    trace_id text NOT NULL,
    -- The id of a span, or a hash of an evaluation that arrived as a log record.
    record_id text NOT NULL,
    signal text NOT NULL CHECK (signal IN ('span', 'log')),
    received_at bigint NOT NULL,
    -- The span is recorded as a request: its money is counted.
    is_request boolean NOT NULL DEFAULT false,
    content json NOT NULL,
    PRIMARY KEY (company_id, trace_id, record_id),
    FOREIGN KEY (company_id, trace_id) REFERENCES traffic.otel_traces (company_id, trace_id) ON DELETE CASCADE
  )`,
  ...protect(SERVICE, 'otel_records'),
];

/** Traces of programs that run elsewhere, as they arrive. */
export class Otel1700000009101 implements MigrationInterface {
  readonly name = 'Otel1700000009101';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE traffic.otel_records, traffic.otel_traces');
  }
}
