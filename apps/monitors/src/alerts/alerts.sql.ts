import { NOW_MS, txStatement, workerStatement, type View } from '@signalbox/database';
import { byOutcome, COUNTED_INDEXES, countedRuns } from '../activity/index.js';

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

/** Since when runs count for a rule: those in its window, and after its last alert that was resolved by hand. */
export const WINDOW_OF_RULE = txStatement(
  { index: 'monitor_alerts_of' },
  `SELECT c.now, GREATEST(c.now - $3::bigint, COALESCE((SELECT max(a.resolved_at) + 1 FROM monitors.monitor_alerts a
     WHERE a.company_id = $1 AND a.monitor_id = $2 AND a.rule_key = $4 AND a.resolved_by_hand), 0)) AS start
   FROM (SELECT ${NOW_MS} AS now) c`,
);

/** From counts, because a window may have millions of runs. */
export const RUNS_BY_OUTCOME = txStatement(
  { index: COUNTED_INDEXES.one },
  `SELECT ${byOutcome('t')} FROM (SELECT $1::int AS company) s, LATERAL (${countedRuns('one')}) t WHERE NOT t.shadow`,
);

/** Faults in a row among the newest judged runs, up to $4. */
export const FAULTS_IN_A_ROW = txStatement(
  { index: 'monitor_runs_time' },
  `SELECT COALESCE(min(r.n) FILTER (WHERE r.outcome <> 'FAULT') - 1, count(*))::int AS consecutive FROM (
     SELECT n.outcome, row_number() OVER (ORDER BY n.date_created DESC, n.id DESC) AS n FROM (
       SELECT t.outcome, t.date_created, t.id FROM monitors.monitor_runs t WHERE t.company_id = $1 AND t.monitor_id = $2
         AND t.date_created >= $3::bigint AND t.outcome <> 'ERROR' AND NOT t.shadow
       ORDER BY t.date_created DESC, t.id DESC LIMIT $4) n) r`,
);

export const OPEN_ALERT = txStatement(
  { index: ['monitor_alerts_open', 'monitor_runs_time'] },
  `INSERT INTO monitors.monitor_alerts AS t (company_id, monitor_id, rule, rule_key, status, opened_at, value, run_ids)
   VALUES ($1, $2, $3, $4, 'open', $5, $6, (SELECT COALESCE(jsonb_agg(x.id ORDER BY x.id DESC), '[]') FROM (
     SELECT r.id FROM monitors.monitor_runs r WHERE r.company_id = $1 AND r.monitor_id = $2 AND r.outcome = $7 AND NOT r.shadow
       AND r.date_created >= $8::bigint ORDER BY r.date_created DESC, r.id DESC LIMIT ${SHOWN_RUNS}) x))
   ON CONFLICT (company_id, monitor_id, rule_key) WHERE status <> 'resolved' DO NOTHING RETURNING ${FIELDS}`,
);

export const RESOLVE_ALERT = txStatement(
  { index: 'monitor_alerts_pkey' },
  `UPDATE monitors.monitor_alerts t SET status = 'resolved', resolved_at = $3, date_updated = $3
   WHERE company_id = $1 AND id = $2 AND status <> 'resolved' RETURNING ${FIELDS}`,
);

/** Of active monitors, and of those with unresolved alerts. */
export const COMPANIES_WITH_ALERTS = workerStatement(
  { index: ['monitors_pkey', 'monitor_alerts_open'] },
  `SELECT company_id FROM monitors.monitors WHERE status = 'ACTIVE' AND deleted_at IS NULL
   UNION SELECT company_id FROM monitors.monitor_alerts WHERE status <> 'resolved'`,
);

/** The next $3 above $2. A paused or deleted monitor has alerts to close. */
export const MONITORS_TO_EVALUATE = txStatement(
  { index: ['monitors_pkey', 'monitor_alerts_open'] },
  `SELECT x.id FROM (
     SELECT id FROM monitors.monitors
     WHERE company_id = $1 AND id > $2 AND status = 'ACTIVE' AND alert_rules <> '[]' AND deleted_at IS NULL
     UNION SELECT monitor_id FROM monitors.monitor_alerts
     WHERE company_id = $1 AND monitor_id > $2 AND status <> 'resolved') x ORDER BY x.id LIMIT $3`,
);
