import type { RunSchema } from '@signalbox/runs';

/** The tables of augmentations; a migration makes them, so a change needs a new one. */
export const AUGMENTATION_SCHEMA: RunSchema = {
  service: 'training',
  table: 'augmentations',
  singular: 'augmentation',
  key: 'run_id',
  statuses: { open: ['CREATED', 'RUNNING'], terminal: ['COMPLETED', 'FAILED'] },
  columns: [
    'dataset_id int NOT NULL',
    `type text NOT NULL CHECK (type IN ('reasoning', 'variation'))`,
    'model text NOT NULL',
    'schema jsonb NOT NULL',
    'count int NOT NULL CHECK (count BETWEEN 1 AND 20)',
    // Id of the last row that existed when the augmentation was created: it does not extend its own rows.
    'upto int NOT NULL',
    // Id of the last row that was extended.
    'cursor int NOT NULL DEFAULT 0',
    'produced int NOT NULL DEFAULT 0',
    'failed int NOT NULL DEFAULT 0',
    'last_error text',
  ],
};
