import { txStatement, readStatement, NOW_MS, type View } from '@signalbox/database';

export const view: View = {
  resource: 'dataset',
  table: 'training.datasets',
  columns: [
    'id',
    'dataset_name',
    'description',
    'intent_group_id',
    'application_id',
    'status',
    'request_count',
    'tags',
    'meta',
    'date_created',
    'date_updated',
  ],
  filters: {
    intent_group_id: 't.intent_group_id = ?',
    status: 't.status = ?',
    of_application: 'COALESCE(t.application_id, ?) = ?',
    start_date: 't.date_created >= ?',
    end_date: 't.date_created < ?',
  },
  search: ['t.dataset_name', 't.description'],
  sort: { dataset_name: 't.dataset_name', request_count: 't.request_count' },
};

export const LOCK_DATASET = txStatement(
  { index: 'datasets_pkey' },
  `SELECT id, status, request_count FROM training.datasets
   WHERE company_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE`,
);

export const ADD_TO_COUNT = txStatement(
  { index: 'datasets_pkey' },
  `UPDATE training.datasets SET request_count = request_count + $3,
     status = CASE WHEN request_count + $3 > 0 THEN 'READY' ELSE 'DRAFT' END, date_updated = ${NOW_MS}
   WHERE company_id = $1 AND id = $2`,
);

export const DATASETS_OF_GROUP = readStatement(
  { index: 'datasets_group' },
  `SELECT x.* FROM s, LATERAL (SELECT (array_agg(t.id ORDER BY t.id))[1:20] AS ids, count(*)::int AS total
   FROM training.datasets t WHERE t.company_id = s.company AND t.intent_group_id = $2 AND t.deleted_at IS NULL OFFSET 0) x`,
);
