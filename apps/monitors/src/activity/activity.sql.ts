import { composed, readStatement } from '@signalbox/database';
import { COST_TODAY, IS_BUDGET_SPENT } from '../budgets/index.js';

const OUTCOMES = { pass: 'PASS', warning: 'WARNING', fault: 'FAULT', error: 'ERROR' };

/** Runs of one monitor; except for versions, the index holds all that is read of them. */
const COUNTED = (
  monitor: string,
): string => `t.company_id = s.company AND t.monitor_id = ${monitor} AND t.date_created >= $2
  AND t.date_created < $3 AND t.outcome IS NOT NULL AND ($5::int[] IS NULL OR t.monitor_target_id = ANY($5))
  AND ($6::text[] IS NULL OR t.outcome = ANY($6))`;

/** What runs are grouped by and which belong to a group; key and label over a group `g`. */
const GROUPS = {
  none: { by: `'all'`, runs: 'NOT t.shadow', key: 'g.member', label: 'g.member' },
  monitor: { by: 'm.id', runs: 'NOT t.shadow', key: 'g.member::text', label: 'min(g.name)' },
  version: {
    by: `t.version_number || CASE WHEN t.shadow THEN '/shadow' ELSE '' END`,
    runs: 'true',
    key: 'g.member',
    label: `replace(g.member, '/shadow', ' (shadow)')`,
  },
} as const;

export type ActivityGroup = keyof typeof GROUPS;

const sums = Object.entries(OUTCOMES).map(
  ([name, outcome]) => `COALESCE(sum(g.runs) FILTER (WHERE g.outcome = '${outcome}'), 0)::int AS ${name}`,
);

/** Outcomes are counted as rows and become columns of the few counts. */
export const POINTS = composed(
  (group: ActivityGroup, bucketMs: number) => {
    const { by, key, label, runs } = GROUPS[group];
    return readStatement(
      { index: ['monitor_runs_time', 'monitors_pkey'] },
      `SELECT r.* FROM s, LATERAL (SELECT ${key} AS key, ${label} AS label, g.timestamp, ${sums.join(', ')}, sum(g.runs)::int AS total
       FROM (SELECT m.name, c.* FROM monitors.monitors m CROSS JOIN LATERAL (
         SELECT ${by} AS member, t.date_created - t.date_created % ${bucketMs} AS timestamp, t.outcome, count(*) AS runs
         FROM monitors.monitor_runs t WHERE ${COUNTED('m.id')} AND ${runs} GROUP BY 1, 2, 3 OFFSET 0) c
         WHERE m.company_id = s.company AND ($4::int IS NULL OR m.id = $4) OFFSET 0) g
       GROUP BY g.member, g.timestamp ORDER BY 1, 3) r`,
    );
  },
  ['none', 60_000],
  ['monitor', 60_000],
  ['version', 60_000],
);

const counts = Object.entries(OUTCOMES).map(
  ([name, outcome]) => `count(*) FILTER (WHERE t.outcome = '${outcome}')::int AS ${name}`,
);

export const METRICS_OF_TARGETS = readStatement(
  { index: 'monitor_runs_time' },
  `SELECT r.* FROM s, LATERAL (SELECT t.monitor_target_id AS target_id, ${counts.join(', ')}, count(*)::int AS total,
     sum(t.runner_duration_ms)::bigint AS duration_ms, sum(t.cost) AS cost, max(t.date_created) AS last_run_at
   FROM monitors.monitor_runs t WHERE ${COUNTED('$4::int')} AND NOT t.shadow GROUP BY GROUPING SETS ((t.monitor_target_id), ()) ORDER BY 1) r`,
);

export const BUDGET = readStatement(
  {
    index: [
      'monitor_costs_pkey',
      'monitor_releases_default',
      'monitor_runs_time',
      'monitor_versions_company_id_monitor_id_version_number_key',
      'monitors_pkey',
    ],
  },
  `SELECT r.* FROM s, LATERAL (SELECT ${IS_BUDGET_SPENT} AS budget_exhausted, ${COST_TODAY} AS cost_today,
     (SELECT sum(t.cost) FROM monitors.monitor_runs t WHERE ${COUNTED('$4::int')} AND t.shadow) AS shadow_cost
   FROM monitors.monitors t
   LEFT JOIN monitors.monitor_releases l ON l.company_id = t.company_id AND l.monitor_id = t.id AND l.is_default AND l.deleted_at IS NULL
   LEFT JOIN monitors.monitor_versions v ON v.company_id = t.company_id AND v.monitor_id = t.id AND (v.id = l.version_id OR (l.id IS NULL AND v.is_latest))
   WHERE t.company_id = s.company AND t.id = $4 OFFSET 0) r`,
);
