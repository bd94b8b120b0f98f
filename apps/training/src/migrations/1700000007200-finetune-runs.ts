import { protect, rolesOf } from '@signalbox/database';
import { runTables, secretHolderTable } from '@signalbox/runs';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { FINETUNE_SCHEMA } from './finetune-schema.js';

const SERVICE = 'training';
const TO_RUN = 'FOREIGN KEY (company_id, run_id) REFERENCES training.finetune_runs (company_id, id) ON DELETE CASCADE';

const statements = [
  ...runTables(FINETUNE_SCHEMA),
  'CREATE UNIQUE INDEX finetune_runs_no ON training.finetune_runs (company_id, no)',
  'CREATE INDEX finetune_runs_open ON training.finetune_runs (company_id, composition_id) WHERE completed_at IS NULL',
  ...secretHolderTable(SERVICE),
  // The rows of a run as they were when it was created.
  `CREATE TABLE training.finetune_rows (
    company_id int NOT NULL,
    run_id uuid NOT NULL,
    split text NOT NULL CHECK (split IN ('train', 'validation')),
    position int NOT NULL,
    copies int NOT NULL CHECK (copies > 0),
    line text NOT NULL,
    PRIMARY KEY (company_id, run_id, split, position),
    ${TO_RUN}
  )`,
  ...protect(SERVICE, 'finetune_rows', 'SELECT, INSERT, DELETE'),
  `CREATE TABLE training.finetune_log (
    company_id int NOT NULL,
    no bigint GENERATED ALWAYS AS IDENTITY,
    run_id uuid NOT NULL,
    -- The id of the event at the provider, by which each is written once.
    event_id text,
    level text NOT NULL CHECK (level IN ('info', 'warn', 'error')),
    message text NOT NULL,
    timestamp bigint NOT NULL,
    PRIMARY KEY (company_id, no),
    ${TO_RUN}
  )`,
  ...protect(SERVICE, 'finetune_log', 'SELECT, INSERT, DELETE'),
  `GRANT USAGE ON SEQUENCE training.finetune_log_no_seq TO ${rolesOf(SERVICE).runtime}`,
  'CREATE UNIQUE INDEX finetune_log_event ON training.finetune_log (company_id, run_id, event_id) WHERE event_id IS NOT NULL',
  'CREATE INDEX finetune_log_of_run ON training.finetune_log (company_id, run_id, no)',
  `CREATE TABLE training.finetune_metrics (
    company_id int NOT NULL,
    run_id uuid NOT NULL,
    step int NOT NULL,
    train_loss double precision NOT NULL,
    validation_loss double precision,
    timestamp bigint NOT NULL,
    PRIMARY KEY (company_id, run_id, step),
    ${TO_RUN}
  )`,
  ...protect(SERVICE, 'finetune_metrics', 'SELECT, INSERT, UPDATE, DELETE'),
  `CREATE TABLE training.finetune_checkpoints (
    company_id int NOT NULL,
    run_id uuid NOT NULL,
    step int NOT NULL,
    model_name text NOT NULL,
    metrics jsonb NOT NULL,
    timestamp bigint NOT NULL,
    PRIMARY KEY (company_id, run_id, step),
    ${TO_RUN}
  )`,
  ...protect(SERVICE, 'finetune_checkpoints', 'SELECT, INSERT, UPDATE, DELETE'),
];

/** Finetune runs with the rows they have frozen and what their providers report. */
export class FinetuneRuns1700000007200 implements MigrationInterface {
  readonly name = 'FinetuneRuns1700000007200';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DROP TABLE training.finetune_checkpoints, training.finetune_metrics, training.finetune_log, training.finetune_rows,
         training.finetune_run_events, training.finetune_run_timeline, training.finetune_runs, training.secret_holders`,
    );
  }
}
