import type { RunSchema } from '@signalbox/runs';

/** The tables of finetune runs; a migration makes them, so a change needs a new one. */
export const FINETUNE_SCHEMA: RunSchema = {
  service: 'training',
  table: 'finetune_runs',
  singular: 'finetune_run',
  key: 'run_id',
  statuses: {
    open: ['CREATED', 'VALIDATING', 'QUEUED', 'RUNNING'],
    terminal: ['COMPLETED', 'FAILED', 'CANCELLED'],
  },
  columns: [
    'run_name text NOT NULL',
    'composition_id int NOT NULL',
    'intent_group_id int NOT NULL',
    'base_model text NOT NULL',
    'provider_id int NOT NULL',
    'provider_model text NOT NULL',
    'hyperparameters jsonb NOT NULL',
    'training_request_count int NOT NULL',
    'validation_request_count int NOT NULL',
    'training_bytes bigint NOT NULL',
    'validation_bytes bigint NOT NULL',
    // The ids of the files and of the job at the provider, once they are known.
    'training_file_id text',
    'validation_file_id text',
    'provider_job_id text',
    'finetuned_model_name text',
    'model_id int',
    'progress int NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 100)',
    `metrics jsonb NOT NULL DEFAULT '{}'`,
    // When the provider was last reached.
    'contacted_at bigint NOT NULL DEFAULT (extract(epoch from clock_timestamp()) * 1000)::bigint',
    'deleted_at bigint',
    `CHECK ((status = 'COMPLETED') = (model_id IS NOT NULL))`,
  ],
};
