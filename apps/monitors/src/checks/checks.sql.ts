import { txStatement, readStatement, NOW_MS, type View } from '@signalbox/database';

export const view: View = {
  resource: 'check',
  table: 'monitors.monitor_checks',
  columns: [
    'id',
    'monitor_id',
    'version_number',
    'test_set_id',
    'status',
    'total',
    'matched',
    'mismatched',
    'error_count',
    'cost',
    'completed_at',
    'date_created',
    'date_updated',
  ],
  filters: { monitor_id: 't.monitor_id = ?' },
  computed: {
    match_rate: `CASE WHEN t.matched + t.mismatched > 0 THEN t.matched::double precision / (t.matched + t.mismatched) END`,
  },
  detail: {
    items: `COALESCE((SELECT json_agg(json_build_object('test_set_item_id', x.test_set_item_id, 'expected_outcome', x.expected_outcome,
        'outcome', x.outcome, 'failure_class', x.failure_class, 'error_code', x.error_code) ORDER BY x.position, x.test_set_item_id)
      FROM monitors.monitor_check_items x WHERE x.company_id = t.company_id AND x.check_id = t.id AND x.outcome IS NOT NULL), '[]'::json)`,
  },
  search: ['t.id::text', 't.version_number'],
  sort: { completed_at: 't.completed_at' },
};

export const COMPLETE_CHECK = txStatement(
  { index: 'monitor_checks_pkey' },
  `UPDATE monitors.monitor_checks SET status = 'COMPLETED', completed_at = ${NOW_MS}, date_updated = ${NOW_MS}
   WHERE company_id = $1 AND id = $2 AND status = 'RUNNING' RETURNING 1`,
);

export const NEWEST_CHECK = readStatement(
  { index: 'monitor_checks_of' },
  `SELECT r.* FROM s, LATERAL (SELECT t.id, t.total, t.matched, t.mismatched, t.error_count, t.completed_at, t.date_created AS started_at
   FROM monitors.monitor_checks t
   WHERE t.company_id = s.company AND t.monitor_id = $2 AND t.version_number = $3 AND t.test_set_id = $4
     AND t.status = 'COMPLETED' ORDER BY t.completed_at DESC, t.id DESC LIMIT 1) r`,
);
