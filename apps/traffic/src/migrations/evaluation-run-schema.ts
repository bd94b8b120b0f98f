import type { RunSchema } from '@signalbox/runs';

/** The tables of evaluation runs. */
export const EVALUATION_RUN_SCHEMA: RunSchema = {
  service: 'traffic',
  table: 'evaluation_runs',
  singular: 'evaluation_run',
  key: 'run_id',
  columns: [
    'name text',
    'application_id int NOT NULL',
    'intent_id int NOT NULL',
    'start_date bigint NOT NULL',
    'end_date bigint NOT NULL',
    'sentinel_ids int[] NOT NULL',
    'sentinel_overrides jsonb NOT NULL',
    // The sentinels as they were when the run was created, with the overrides of the run.
    'sentinels jsonb NOT NULL',
    'request_limit int',
    // Serial number of the last request of the run; null until the run has counted its requests.
    'upto bigint',
    // Serial number of the last request that was judged.
    'cursor bigint NOT NULL DEFAULT 0',
    'total_requests int NOT NULL DEFAULT 0',
    'evaluated_requests int NOT NULL DEFAULT 0',
    'pass_count int NOT NULL DEFAULT 0',
    'fault_count int NOT NULL DEFAULT 0',
    'na_count int NOT NULL DEFAULT 0',
    'error_count int NOT NULL DEFAULT 0',
    'judgements int NOT NULL DEFAULT 0',
    `errors_by_class jsonb NOT NULL DEFAULT '{}'`,
    'last_error text',
    'cost double precision',
    // Failed results that are judged again: their classes, and the ids from the cursor to the last one.
    'reset_classes text[]',
    'reset_cursor bigint',
    'reset_upto bigint',
    'deleted_at bigint',
  ],
};
