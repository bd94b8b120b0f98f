import { txStatement, workerStatement, type View } from '@signalbox/database';

const COLUMNS = [
  'id',
  'monitor_id',
  'rule',
  'status',
  'opened_at',
  'acknowledged_at',
  'resolved_at',
  'value',
  'run_ids',
  'date_created',
  'date_updated',
];

export const view: View = {
  resource: 'alert',
  table: 'monitors.monitor_alerts',
  columns: COLUMNS,
  filters: {
    monitor_id: 't.monitor_id = ?',
    status: 't.status = ANY(?::text[])',
    start_date: 't.opened_at >= ?',
    end_date: 't.opened_at < ?',
  },
  search: ['t.id::text', 't.rule::text'],
  sort: { opened_at: 't.opened_at', status: 't.status' },
};

const FIELDS = COLUMNS.map((column) => `t.${column}`).join(', ');
const SHOWN_RUNS = 20;

export const MONITORS_WITH_RULES = txStatement(
  { index: 'monitors_pkey' },
  `SELECT id FROM monitors.monitors WHERE company_id = $1 AND id = ANY($2::int[]) AND alert_rules <> '[]'`,
);

export const RULES_AND_OPEN_ALERTS = txStatement(
  { index: ['monitor_alerts_open', 'monitors_pkey'] },
  `WITH rules AS (SELECT t.id AS monitor_id, r AS rule, md5(r::text) AS rule_key FROM monitors.monitors t, jsonb_array_elements(t.alert_rules) r
     WHERE t.company_id = $1 AND t.id = ANY($2::int[]) AND t.deleted_at IS NULL),
   open AS (SELECT a.id AS open_id, a.monitor_id, a.rule_key FROM monitors.monitor_alerts a
     WHERE a.company_id = $1 AND a.monitor_id = ANY($2::int[]) AND a.status <> 'resolved')
   SELECT DISTINCT monitor_id, r.rule, rule_key, o.open_id FROM rules r FULL JOIN open o USING (monitor_id, rule_key)
   ORDER BY monitor_id, rule_key`,
);

export const MEASURE_RULES = txStatement(
  { index: ['monitor_alerts_of', 'monitor_runs_time'] },
  `WITH since AS (SELECT GREATEST((extract(epoch from clock_timestamp()) * 1000)::bigint - $3::bigint, COALESCE((SELECT max(a.resolved_at) + 1
       FROM monitors.monitor_alerts a WHERE a.company_id = $1 AND a.monitor_id = $2 AND a.rule_key = $4 AND a.resolved_by_hand), 0)) AS start),
   runs AS (SELECT t.id, t.outcome FROM monitors.monitor_runs t, since
     WHERE t.company_id = $1 AND t.monitor_id = $2 AND t.date_created >= since.start AND t.outcome IS NOT NULL AND NOT t.shadow),
   newest AS (SELECT r.outcome, row_number() OVER (ORDER BY r.id DESC) AS n FROM runs r
     WHERE r.outcome <> 'ERROR' AND $5::boolean ORDER BY r.id DESC LIMIT $6)
   SELECT count(*) FILTER (WHERE outcome = 'PASS')::int AS pass, count(*) FILTER (WHERE outcome = 'WARNING')::int AS warning,
     count(*) FILTER (WHERE outcome = 'FAULT')::int AS fault, count(*) FILTER (WHERE outcome = 'ERROR')::int AS error,
     COALESCE((SELECT min(n) - 1 FROM newest WHERE outcome <> 'FAULT'), (SELECT count(*) FROM newest))::int AS consecutive,
     (SELECT start FROM since) AS start
   FROM runs`,
);

export const OPEN_ALERT = txStatement(
  { index: ['monitor_alerts_open', 'monitor_runs_time'] },
  `INSERT INTO monitors.monitor_alerts AS t (company_id, monitor_id, rule, rule_key, status, opened_at, value, run_ids)
   VALUES ($1, $2, $3, $4, 'open', $5, $6, (SELECT COALESCE(jsonb_agg(x.id ORDER BY x.id DESC), '[]') FROM (
     SELECT r.id FROM monitors.monitor_runs r WHERE r.company_id = $1 AND r.monitor_id = $2 AND r.outcome = $7 AND NOT r.shadow
       AND r.date_created >= $8::bigint ORDER BY r.id DESC LIMIT ${SHOWN_RUNS}) x))
   ON CONFLICT (company_id, monitor_id, rule_key) WHERE status <> 'resolved' DO NOTHING RETURNING ${FIELDS}`,
);

export const RESOLVE_ALERT = txStatement(
  { index: 'monitor_alerts_pkey' },
  `UPDATE monitors.monitor_alerts t SET status = 'resolved', resolved_at = $3, date_updated = $3
   WHERE company_id = $1 AND id = $2 AND status <> 'resolved' RETURNING ${FIELDS}`,
);

export const UNRESOLVED_ALERTS = workerStatement(
  { index: 'monitor_alerts_open' },
  `SELECT company_id, array_agg(DISTINCT monitor_id) AS monitor_ids FROM monitors.monitor_alerts
   WHERE status <> 'resolved' GROUP BY company_id`,
);
