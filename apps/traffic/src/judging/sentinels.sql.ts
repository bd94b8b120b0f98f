import { txStatement, readStatement, type View } from '@signalbox/database';

export const view: View = {
  resource: 'sentinel',
  table: 'traffic.sentinels',
  columns: [
    'id',
    'sentinel_name',
    'severity',
    'intent_group_id',
    'sentinel_directive',
    'meta',
    'state',
    'date_created',
    'date_updated',
  ],
  filters: { intent_group_id: 't.intent_group_id = ?', severity: 't.severity = ?', state: 't.state = ?' },
  search: ['t.sentinel_name'],
  sort: { sentinel_name: 't.sentinel_name', severity: 't.severity' },
  large: ['sentinel_directive', 'meta'],
};

const APPLIED = 't.id, t.sentinel_name, t.severity, t.intent_group_id, t.sentinel_directive, t.meta';

export const HOLD_MODEL = txStatement(
  { index: 'models_name' },
  'SELECT 1 FROM traffic.models WHERE company_id = $1 AND model_name = $2 AND deleted_at IS NULL FOR SHARE',
);

export const COUNT_SENTINELS = txStatement(
  { index: 'sentinels_name' },
  'SELECT count(*)::int AS count FROM traffic.sentinels WHERE company_id = $1 AND intent_group_id = $2 AND deleted_at IS NULL',
);

export const ENABLED_OF_GROUP = readStatement(
  { index: 'sentinels_name' },
  `SELECT x.* FROM s, LATERAL (SELECT ${APPLIED} FROM traffic.sentinels t WHERE t.company_id = s.company
   AND t.intent_group_id = $2 AND t.state = 'ENABLED' AND t.deleted_at IS NULL OFFSET 0) x ORDER BY x.id`,
);

export const WATCHED_GROUPS = txStatement(
  { index: 'sentinels_name' },
  `SELECT DISTINCT intent_group_id AS id FROM traffic.sentinels
   WHERE company_id = $1 AND intent_group_id = ANY ($2::int[]) AND state = 'ENABLED' AND deleted_at IS NULL`,
);

export const SENTINELS_BY_IDS = readStatement(
  { index: 'sentinels_pkey' },
  `SELECT x.* FROM s, LATERAL (SELECT ${APPLIED} FROM traffic.sentinels t
   WHERE t.company_id = s.company AND t.id = ANY ($2::int[]) AND t.deleted_at IS NULL OFFSET 0) x`,
);
