import { txStatement, readStatement, type View } from '@signalbox/database';

const COLUMNS = [
  'id',
  'monitor_id',
  'target_type',
  'target_id',
  'target_name',
  'sample_rate',
  'enabled',
  'date_created',
  'date_updated',
];

/** Over the alias `x`. */
export const TARGET_FIELDS = COLUMNS.map((column) => `x.${column}`).join(', ');

export const view: View = {
  resource: 'monitor target',
  table: 'monitors.monitor_targets',
  columns: COLUMNS,
  filters: {
    monitor_id: 't.monitor_id = ?',
    target_type: 't.target_type = ANY(?::text[])',
    enabled: 't.enabled = ?::boolean',
  },
  search: ['t.target_name'],
  sort: { target_name: 't.target_name', sample_rate: 't.sample_rate' },
};

export const COUNT_TARGETS = txStatement(
  { index: 'monitor_targets_once' },
  'SELECT count(*)::int AS count FROM monitors.monitor_targets WHERE company_id = $1 AND monitor_id = $2 AND deleted_at IS NULL',
);

export const COUNT_WATCHERS = txStatement(
  { index: 'monitor_targets_of' },
  `SELECT count(*)::int AS count FROM monitors.monitor_targets
   WHERE company_id = $1 AND target_type = $2 AND target_id = $3 AND deleted_at IS NULL`,
);

export const DETACH_FROM_MONITOR = txStatement(
  { index: 'monitor_targets_once' },
  'UPDATE monitors.monitor_targets SET deleted_at = $3 WHERE company_id = $1 AND monitor_id = $2 AND deleted_at IS NULL',
);

export const DETACH_FROM_ALL = txStatement(
  { index: 'monitor_targets_of' },
  `UPDATE monitors.monitor_targets x SET deleted_at = $4
   WHERE company_id = $1 AND target_type = $2 AND target_id = $3 AND deleted_at IS NULL RETURNING ${TARGET_FIELDS}`,
);

export const RENAME_TARGET = txStatement(
  { index: 'monitor_targets_of' },
  `UPDATE monitors.monitor_targets SET target_name = $4, name_date = $5
   WHERE company_id = $1 AND target_type = $2 AND target_id = $3 AND deleted_at IS NULL AND name_date <= $5`,
);

export const LIST_BY_TARGET = readStatement(
  { index: ['monitor_targets_of', 'monitors_pkey'] },
  `SELECT r.* FROM s, LATERAL (SELECT json_build_object('id', t.id, 'name', t.name, 'status', t.status) AS monitor,
     json_build_object('id', x.id, 'target_type', x.target_type, 'target_id', x.target_id, 'sample_rate', x.sample_rate,
       'enabled', x.enabled) AS monitor_target
   FROM monitors.monitor_targets x JOIN monitors.monitors t ON t.company_id = x.company_id AND t.id = x.monitor_id
   WHERE x.company_id = s.company AND x.target_type = $2 AND x.target_id = $3 AND x.deleted_at IS NULL
     AND t.deleted_at IS NULL AND t.status = 'ACTIVE' AND (x.enabled OR NOT $4::boolean) ORDER BY x.id OFFSET 0) r`,
);

export const MONITORS_THAT_WATCH = readStatement(
  { index: 'monitor_targets_of' },
  `SELECT r.* FROM s, LATERAL (SELECT x.monitor_id FROM monitors.monitor_targets x
   WHERE x.company_id = s.company AND x.target_type = $2 AND x.target_id = $3 AND x.deleted_at IS NULL
   ORDER BY x.monitor_id OFFSET 0) r`,
);

export const MONITORS_THAT_RUN = readStatement(
  { index: 'monitors_name' },
  `SELECT r.* FROM s, LATERAL (SELECT t.id AS monitor_id FROM monitors.monitors t
   WHERE t.company_id = s.company AND t.deleted_at IS NULL AND t.config->'runner'->>'resource_type' = 'workflow'
     AND t.config->'runner'->>'resource_id' = $2::text ORDER BY t.id OFFSET 0) r`,
);
