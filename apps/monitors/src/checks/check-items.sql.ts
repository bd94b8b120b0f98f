import { txStatement, readStatement, NOW_MS } from '@signalbox/database';

export const OPEN_CHECK = readStatement(
  { index: ['monitor_checks_pkey', 'monitor_targets_once', 'monitor_versions_pkey', 'monitors_pkey'] },
  `SELECT r.* FROM s, LATERAL (SELECT t.id, t.monitor_id, t.test_set_id, t.status, v.snapshot->'config' AS config,
     m.deleted_at IS NOT NULL AS is_deleted,
     ARRAY(SELECT DISTINCT x.target_type FROM monitors.monitor_targets x WHERE x.company_id = t.company_id
       AND x.monitor_id = t.monitor_id AND x.deleted_at IS NULL) AS target_types
   FROM monitors.monitor_checks t JOIN monitors.monitor_versions v ON v.company_id = t.company_id AND v.id = t.monitor_version_id
   JOIN monitors.monitors m ON m.company_id = t.company_id AND m.id = t.monitor_id
   WHERE t.company_id = s.company AND t.id = $2 AND t.status <> 'COMPLETED' OFFSET 0) r`,
);

export const BEGIN_CHECK = txStatement(
  { index: 'monitor_checks_pkey' },
  `WITH added AS (INSERT INTO monitors.monitor_check_items (company_id, check_id, test_set_item_id, position, expected_outcome)
     SELECT $1, $2::int, i, p, e FROM unnest($3::int[], $4::int[], $5::text[]) u(i, p, e) ON CONFLICT DO NOTHING RETURNING 1)
   UPDATE monitors.monitor_checks SET status = 'RUNNING', total = (SELECT count(*) FROM added), date_updated = ${NOW_MS}
   WHERE company_id = $1 AND id = $2::int AND status = 'CREATED'`,
);

export const PENDING_ITEMS = readStatement(
  { index: 'monitor_check_items_pkey' },
  `SELECT r.* FROM s, LATERAL (SELECT x.test_set_item_id, x.position, x.expected_outcome FROM monitors.monitor_check_items x
   WHERE x.company_id = s.company AND x.check_id = $2 AND x.outcome IS NULL
   ORDER BY x.position, x.test_set_item_id LIMIT $3) r`,
);

export const STORE_ITEMS = txStatement(
  { index: ['monitor_check_items_pkey', 'monitor_checks_pkey'] },
  `WITH stored AS (
     UPDATE monitors.monitor_check_items x SET outcome = u.o, failure_class = u.f, error_code = u.e
     FROM unnest($3::int[], $4::text[], $5::text[], $6::text[]) u(i, o, f, e)
     WHERE x.company_id = $1 AND x.check_id = $2::int AND x.test_set_item_id = u.i AND x.outcome IS NULL
     RETURNING x.outcome, x.expected_outcome),
   counted AS (SELECT count(*) FILTER (WHERE outcome = 'ERROR') AS errors,
       count(*) FILTER (WHERE outcome <> 'ERROR' AND outcome = expected_outcome) AS matched,
       count(*) FILTER (WHERE outcome <> 'ERROR' AND outcome IS DISTINCT FROM expected_outcome) AS mismatched FROM stored)
   UPDATE monitors.monitor_checks t SET matched = t.matched + c.matched, mismatched = t.mismatched + c.mismatched,
     error_count = t.error_count + c.errors, cost = COALESCE(t.cost + $7::double precision, t.cost, $7), date_updated = ${NOW_MS}
   FROM counted c WHERE t.company_id = $1 AND t.id = $2::int`,
);
