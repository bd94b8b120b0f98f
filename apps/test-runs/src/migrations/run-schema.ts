import type { RunSchema } from '@signalbox/runs';

/** The tables of runs; a migration makes them, so a change needs a new one. */
export const RUN_SCHEMA: RunSchema = {
  service: 'test-runs',
  table: 'runs',
  singular: 'run',
  key: 'run_id',
  statuses: { open: ['CREATED', 'RUNNING'], terminal: ['COMPLETED'] },
  columns: [
    'test_set_id int NOT NULL',
    'name text',
    'description text',
    `meta jsonb NOT NULL DEFAULT '{}'`,
    `consumer_kind text NOT NULL CHECK (consumer_kind IN ('MODEL', 'WORKFLOW', 'AGENT'))`,
    'consumer_config jsonb NOT NULL',
    'consumer_id int NOT NULL',
    'consumer_version text',
    // The name under which a model is called.
    'target_name text',
    `criteria_ids int[] NOT NULL DEFAULT '{}'`,
    'auto_score boolean NOT NULL',
    'repeats int NOT NULL CHECK (repeats BETWEEN 1 AND 20)',
    'executed boolean NOT NULL DEFAULT false',
    'concurrency int NOT NULL DEFAULT 4 CHECK (concurrency BETWEEN 1 AND 100)',
    'total_items int NOT NULL DEFAULT 0',
    // Of a completed run; those of a running one are counted.
    'completed_items int NOT NULL DEFAULT 0',
    'failed_items int NOT NULL DEFAULT 0',
    'matched_items int',
    'match_rate double precision',
    'prepared_at bigint',
    'scored_at bigint',
    'date_updated bigint NOT NULL DEFAULT (extract(epoch from clock_timestamp()) * 1000)::bigint',
  ],
};
