import { txStatement, type View } from '@signalbox/database';

/** Null when the meta names no group. */
export const GROUP_OF_META = `CASE WHEN t.meta->>'intent_group_id' ~ '^[1-9][0-9]{0,8}$' THEN (t.meta->>'intent_group_id')::int END`;

const OF_GROUP = `(SELECT t.tags @> to_jsonb(g.name) OR ${GROUP_OF_META} = g.id OR EXISTS (
    SELECT 1 FROM "test-runs".test_set_items i WHERE i.company_id = t.company_id AND i.test_set_id = t.id
      AND i.intent_group_id = g.id AND i.deleted_at IS NULL)
  FROM json_to_record(?::json) g(id int, name text))`;

export const view: View = {
  resource: 'test set',
  table: '"test-runs".test_sets',
  columns: [
    'id',
    'name',
    'description',
    'consumer_kinds',
    'criteria_ids',
    'tags',
    'meta',
    'item_count',
    'last_run_at',
    'date_created',
    'date_updated',
  ],
  filters: {
    tag: 't.tags @> to_jsonb(?::text)',
    consumer_kind: 't.consumer_kinds @> to_jsonb(?::text)',
    of_group: OF_GROUP,
  },
  search: ['t.name', 't.description'],
  sort: { name: 't.name', item_count: 't.item_count', last_run_at: 't.last_run_at' },
};

export const LOCK_COUNTERS = txStatement(
  { index: 'test_sets_pkey' },
  `SELECT id, item_count, next_position FROM "test-runs".test_sets
   WHERE company_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE`,
);

export const ADD_TO_COUNTERS = txStatement(
  { index: 'test_sets_pkey' },
  `UPDATE "test-runs".test_sets SET item_count = item_count + $3, next_position = next_position + $4
   WHERE company_id = $1 AND id = $2`,
);
