import type { RunSchema } from '@signalbox/runs';

/** The tables of tag runs. */
export const TAG_RUN_SCHEMA: RunSchema = {
  service: 'traffic',
  table: 'tag_runs',
  singular: 'tag_run',
  key: 'run_id',
  columns: [
    'rule_ids int[] NOT NULL',
    // The rules as they were when the run was created.
    'rules jsonb NOT NULL',
    'filters jsonb NOT NULL',
    // Serial number of the last request of the run; null until the run has counted its requests.
    'upto bigint',
    // Serial number of the last request that was judged.
    'cursor bigint NOT NULL DEFAULT 0',
    'total_requests int NOT NULL DEFAULT 0',
    'processed int NOT NULL DEFAULT 0',
    'tagged int NOT NULL DEFAULT 0',
    'judgements int NOT NULL DEFAULT 0',
    'errors int NOT NULL DEFAULT 0',
    'last_error text',
  ],
};
