import { composed, readStatement } from '@signalbox/database';
import { COST_TODAY, IS_BUDGET_SPENT } from '../budgets/index.js';

const COUNTS = `count(*) FILTER (WHERE t.outcome = 'PASS')::int AS pass, count(*) FILTER (WHERE t.outcome = 'WARNING')::int AS warning,
  count(*) FILTER (WHERE t.outcome = 'FAULT')::int AS fault, count(*) FILTER (WHERE t.outcome = 'ERROR')::int AS error, count(*)::int AS total`;

const COUNTED = `t.company_id = s.company AND t.date_created >= $2 AND t.date_created < $3 AND t.outcome IS NOT NULL
  AND ($4::int IS NULL OR t.monitor_id = $4) AND ($5::int[] IS NULL OR t.monitor_target_id = ANY($5)) AND ($6::text[] IS NULL OR t.outcome = ANY($6))`;

/** SQL of what runs are grouped by, of the key and label of a group `g`, and of the runs that belong to one. */
const GROUPS = {
  none: { by: `'all'`, key: 'g.member', label: 'g.member', runs: 'NOT t.shadow' },
  monitor: {
    by: 't.monitor_id',
    key: 'g.member::text',
    label: '(SELECT m.name FROM monitors.monitors m WHERE m.company_id = s.company AND m.id = g.member)',
    runs: 'NOT t.shadow',
  },
  version: {
    by: `t.version_number || CASE WHEN t.shadow THEN '/shadow' ELSE '' END`,
    key: 'g.member',
    label: `replace(g.member, '/shadow', ' (shadow)')`,
    runs: 'true',
  },
} as const;

/** A way to group runs. */
export type ActivityGroup = keyof typeof GROUPS;

/** The counts of each group and bucket. */
export const POINTS = composed(
  (group: ActivityGroup, bucketMs: number) => {
    const { by, key, label, runs } = GROUPS[group];
    return readStatement(
      { index: group === 'monitor' ? ['monitor_runs_newest', 'monitors_pkey'] : 'monitor_runs_newest' },
      `SELECT r.* FROM s, LATERAL (SELECT ${key} AS key, ${label} AS label, g.timestamp, g.pass, g.warning, g.fault, g.error, g.total
       FROM (SELECT ${by} AS member, t.date_created - t.date_created % ${bucketMs} AS timestamp, ${COUNTS}
         FROM monitors.monitor_runs t WHERE ${COUNTED} AND ${runs} GROUP BY 1, 2 OFFSET 0) g ORDER BY 1, 3) r`,
    );
  },
  ['none', 60_000],
  ['monitor', 60_000],
  ['version', 60_000],
);

export const METRICS_OF_TARGETS = readStatement(
  { index: 'monitor_runs_newest' },
  `SELECT r.* FROM s, LATERAL (SELECT t.monitor_target_id AS target_id, ${COUNTS}, sum(t.runner_duration_ms)::bigint AS duration_ms,
     sum(t.cost) AS cost, max(t.date_created) AS last_run_at
   FROM monitors.monitor_runs t WHERE ${COUNTED} AND NOT t.shadow GROUP BY GROUPING SETS ((t.monitor_target_id), ()) ORDER BY 1) r`,
);

export const BUDGET = readStatement(
  {
    index: [
      'monitor_costs_pkey',
      'monitor_releases_default',
      'monitor_runs_newest',
      'monitor_versions_company_id_monitor_id_version_number_key',
      'monitors_pkey',
    ],
  },
  `SELECT r.* FROM s, LATERAL (SELECT ${IS_BUDGET_SPENT} AS budget_exhausted, ${COST_TODAY} AS cost_today,
     (SELECT sum(t.cost) FROM monitors.monitor_runs t WHERE ${COUNTED} AND t.shadow) AS shadow_cost
   FROM monitors.monitors t
   LEFT JOIN monitors.monitor_releases l ON l.company_id = t.company_id AND l.monitor_id = t.id AND l.is_default AND l.deleted_at IS NULL
   LEFT JOIN monitors.monitor_versions v ON v.company_id = t.company_id AND v.monitor_id = t.id AND (v.id = l.version_id OR (l.id IS NULL AND v.is_latest))
   WHERE t.company_id = s.company AND t.id = $4 OFFSET 0) r`,
);
