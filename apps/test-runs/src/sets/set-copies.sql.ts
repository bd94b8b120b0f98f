import { txStatement } from '@signalbox/database';
import { RECORD_COLUMNS } from './item-record.js';

const COPIED = [
  'position',
  'source_type',
  'source_id',
  'flatten_variant',
  'intent_group_id',
  'input',
  'expected_output',
  'baseline_hash',
  'file_source',
  'meta',
  'body_bytes',
];

export const COPY_ITEMS = txStatement(
  { index: 'test_set_items_position' },
  `INSERT INTO "test-runs".test_set_items (company_id, test_set_id, ${COPIED.join(', ')})
   SELECT company_id, $3, ${COPIED.join(', ')} FROM "test-runs".test_set_items
   WHERE company_id = $1 AND test_set_id = $2 AND deleted_at IS NULL ORDER BY position
   RETURNING ${RECORD_COLUMNS.join(', ')}`,
);

export const COPY_OVERRIDES = txStatement(
  { index: ['response_subs_pkey', 'test_set_items_position'] },
  `INSERT INTO "test-runs".response_subs (company_id, item_id, expected_output, note, author_key_id, date_created, date_updated)
   SELECT n.company_id, n.id, r.expected_output, r.note, r.author_key_id, r.date_created, r.date_updated
   FROM "test-runs".test_set_items o
   JOIN "test-runs".response_subs r ON r.company_id = o.company_id AND r.id = o.response_sub_id
   JOIN "test-runs".test_set_items n ON n.company_id = o.company_id AND n.test_set_id = $3 AND n.position = o.position
     AND n.deleted_at IS NULL
   WHERE o.company_id = $1 AND o.test_set_id = $2 AND o.deleted_at IS NULL`,
);

export const LINK_OVERRIDES = txStatement(
  { index: ['response_subs_of_item', 'test_set_items_position'] },
  `UPDATE "test-runs".test_set_items n SET response_sub_id = r.id FROM "test-runs".response_subs r
   WHERE n.company_id = $1 AND n.test_set_id = $2 AND n.deleted_at IS NULL
     AND r.company_id = n.company_id AND r.item_id = n.id`,
);
