import type { RunSchema } from '@signalbox/runs';

export const RUN_SCHEMA: RunSchema = {
  service: 'workflows',
  table: 'runs',
  singular: 'run',
  key: 'run_id',
  parent: 'parent_run_id',
  statuses: { open: ['QUEUED', 'RUNNING'], terminal: ['COMPLETED', 'FAILED', 'TIMED_OUT', 'CANCELLED'] },
  columns: [
    'workflow_id int NOT NULL',
    'workflow_ref_name text NOT NULL',
    'workflow_version text',
    'release text',
    'application_id int',
    'session_id text NOT NULL',
    `trigger text NOT NULL CHECK (trigger IN ('API', 'CHAT', 'AGENT', 'TEST', 'MONITOR', 'NESTED'))`,
    // That of the root run: model calls of nested runs are recorded like those of their root.
    `root_trigger text NOT NULL CHECK (root_trigger IN ('API', 'CHAT', 'AGENT', 'TEST', 'MONITOR'))`,
    `mode text NOT NULL CHECK (mode IN ('sync', 'async', 'stream'))`,
    // The definition at acceptance: a later change of the draft does not affect the run.
    'snapshot jsonb NOT NULL',
    'input jsonb',
    'messages jsonb',
    `params jsonb NOT NULL DEFAULT '{}'`,
    `metadata jsonb NOT NULL DEFAULT '{}'`,
    // The values are never stored.
    `secret_names jsonb NOT NULL DEFAULT '[]'`,
    'output jsonb',
    'transformed_session jsonb',
    'attempts int NOT NULL DEFAULT 0',
    'prompt_tokens bigint NOT NULL DEFAULT 0',
    'completion_tokens bigint NOT NULL DEFAULT 0',
    'total_tokens bigint NOT NULL DEFAULT 0',
    'cost double precision',
    // Identifies a nested run within its parent: reference, input and occurrence.
    'call_key text',
    'CHECK ((parent_run_id IS NULL) = (call_key IS NULL))',
  ],
};
