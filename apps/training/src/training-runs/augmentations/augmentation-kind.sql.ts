import { txStatement, type View } from '@signalbox/database';
import { type StoredRuns, storedRuns, tablesOf } from '@signalbox/runs';
import { AUGMENTATION_SCHEMA } from '../../migrations/augmentation-schema.js';

const COLUMNS = ['dataset_id', 'type', 'model', 'schema', 'count', 'status', 'produced', 'failed'] as const;

export const FIELDS: Readonly<Record<string, string>> = {
  id: 't.no',
  ...Object.fromEntries(COLUMNS.map((name) => [name, `t.${name}`])),
  error_message: 'COALESCE(t.error_message, t.last_error)',
  date_created: 't.date_created',
  date_updated: 'COALESCE(t.completed_at, t.started_at, t.date_created)',
  completed_at: 't.completed_at',
};

export const view: View = {
  resource: 'augmentation',
  table: 'training.augmentations',
  key: 'no',
  alive: 'true',
  columns: [],
  computed: FIELDS,
  filters: { dataset_id: 't.dataset_id = ?' },
  search: ['t.no::text', 't.type', 't.model', 't.error_message'],
  sort: { date_updated: FIELDS.date_updated ?? '' },
};

export const LAST_ROW = txStatement(
  { index: 'dataset_requests_of_dataset' },
  `SELECT max(id) AS id FROM training.dataset_requests WHERE company_id = $1 AND dataset_id = $2 AND deleted_at IS NULL`,
);

export const STORED_AUGMENTATIONS: StoredRuns = storedRuns({
  tables: tablesOf(AUGMENTATION_SCHEMA),
  columns: `t.id, t.status, t.last_seq, t.has_secrets, t.dataset_id, t.type, t.model, t.schema, t.count, t.upto, t.cursor,
    t.produced, t.failed, t.last_error`,
  timelineColumns: [],
});
