import { txStatement, readStatement, type View } from '@signalbox/database';
import { TARGET_FIELDS } from './targets.sql.js';

export const MONITOR_SNAPSHOT = `jsonb_build_object('name', t.name, 'description', t.description, 'config', t.config, 'meta', t.meta)`;

const OF_MONITOR = 'x.company_id = t.company_id AND x.monitor_id = t.id';
const LIVING_TARGETS = `monitors.monitor_targets x WHERE ${OF_MONITOR} AND x.deleted_at IS NULL`;

export const view: View = {
  resource: 'monitor',
  table: 'monitors.monitors',
  columns: ['id', 'name', 'description', 'status', 'date_created', 'date_updated'],
  computed: {
    target_count: `(SELECT count(*)::int FROM ${LIVING_TARGETS})`,
    active: `(t.status = 'ACTIVE' AND EXISTS (SELECT 1 FROM ${LIVING_TARGETS} AND x.enabled)
      AND EXISTS (SELECT 1 FROM monitors.monitor_versions x WHERE ${OF_MONITOR}))`,
    has_unpublished_changes: `NOT EXISTS (SELECT 1 FROM monitors.monitor_versions x
      WHERE ${OF_MONITOR} AND x.is_latest AND x.snapshot = ${MONITOR_SNAPSHOT})`,
    latest_version_number: `(SELECT x.version_number FROM monitors.monitor_versions x WHERE ${OF_MONITOR} AND x.is_latest)`,
    last_run_at: `(SELECT max(x.date_created) FROM monitors.monitor_runs x WHERE ${OF_MONITOR} AND x.outcome IS NOT NULL)`,
  },
  detail: {
    config: 't.config',
    meta: 't.meta',
    alert_rules: 't.alert_rules',
    shadow_version: 't.shadow_version',
    default_release: `(SELECT x.name FROM monitors.monitor_releases x WHERE ${OF_MONITOR} AND x.is_default AND x.deleted_at IS NULL)`,
    targets: `COALESCE((SELECT json_agg(row_to_json(f) ORDER BY f.id) FROM (SELECT ${TARGET_FIELDS} FROM ${LIVING_TARGETS}) f), '[]'::json)`,
  },
  filters: {
    status: 't.status = ANY(?::text[])',
    target_type: `EXISTS (SELECT 1 FROM ${LIVING_TARGETS} AND x.target_type = ANY(?::text[]))`,
  },
  search: ['t.name', 't.description'],
  sort: { name: 't.name', status: 't.status' },
};

const { targets: _targets, ...DETAIL_WITHOUT_TARGETS } = view.detail ?? {};
export const withoutTargets: View = { ...view, detail: DETAIL_WITHOUT_TARGETS };

export const FIND_MONITOR = readStatement(
  { index: 'monitors_pkey' },
  `SELECT x.* FROM s, LATERAL (SELECT t.status, t.config FROM monitors.monitors t
   WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL OFFSET 0) x`,
);

export const FIND_VERSION = txStatement(
  { index: ['monitor_versions_company_id_monitor_id_version_number_key', 'monitor_versions_latest'] },
  `SELECT version_number FROM monitors.monitor_versions
   WHERE company_id = $1 AND monitor_id = $2 AND version_number = $3
   UNION ALL
   SELECT version_number FROM monitors.monitor_versions
   WHERE company_id = $1 AND monitor_id = $2 AND is_latest AND $3 = 'latest'`,
);

export const HOLD_MONITOR = txStatement(
  { index: 'monitors_pkey' },
  'SELECT 1 FROM monitors.monitors WHERE company_id = $1 AND id = $2 AND deleted_at IS NULL FOR SHARE',
);
