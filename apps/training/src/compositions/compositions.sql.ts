import { txStatement, readStatement, type View } from '@signalbox/database';

const ENTRIES = `jsonb_to_recordset(t.entries) e(dataset_id int, weight numeric, max_requests int)
  JOIN training.datasets d ON d.company_id = t.company_id AND d.id = e.dataset_id AND d.deleted_at IS NULL`;

const EXCLUDED = `COALESCE((t.exclusions->>e.dataset_id::text)::int, 0)`;

/** Over the alias `t`. */
const COMPOSITION_STATUS = `CASE WHEN EXISTS (SELECT 1 FROM ${ENTRIES} WHERE e.weight > 0 AND d.request_count > 0)
  THEN 'READY' ELSE 'DRAFT' END`;

export const view: View = {
  resource: 'composition',
  table: 'training.compositions',
  columns: [
    'id',
    'composition_name',
    'description',
    'intent_group_id',
    'entries',
    'validation_split',
    'seed',
    'exclude_test_set_ids',
    'date_created',
    'date_updated',
  ],
  computed: {
    status: COMPOSITION_STATUS,
    request_count: `(SELECT COALESCE(sum(LEAST(e.max_requests, ceil(GREATEST(d.request_count - ${EXCLUDED}, 0) * e.weight))), 0)::int
      FROM ${ENTRIES})`,
  },
  filters: { intent_group_id: 't.intent_group_id = ?', status: `${COMPOSITION_STATUS} = ?` },
  search: ['t.composition_name', 't.description'],
  sort: { composition_name: 't.composition_name' },
};

export const FIND_OPEN_RUN = txStatement(
  { index: 'finetune_runs_open' },
  `SELECT no, status FROM training.finetune_runs WHERE company_id = $1 AND composition_id = $2 AND completed_at IS NULL
   LIMIT 1`,
);

export const LOCK_DATASETS = txStatement(
  { index: 'datasets_pkey' },
  `SELECT 1 FROM training.datasets WHERE company_id = $1 AND id = ANY ($2::int[]) AND deleted_at IS NULL
   ORDER BY id FOR SHARE`,
);

export const COMPOSITIONS_OF_GROUP = readStatement(
  { index: 'compositions_group' },
  `SELECT x.* FROM s, LATERAL (SELECT (array_agg(t.id ORDER BY t.id))[1:20] AS ids, count(*)::int AS total
   FROM training.compositions t WHERE t.company_id = s.company AND t.intent_group_id = $2 AND t.deleted_at IS NULL OFFSET 0) x`,
);

export const COUNT_EXCLUSIONS = txStatement(
  { index: 'compositions_pkey' },
  `UPDATE training.compositions SET exclusions = $3 WHERE company_id = $1 AND id = $2 AND exclusions <> $3::jsonb`,
);
