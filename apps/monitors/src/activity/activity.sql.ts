import { composed, readStatement } from '@signalbox/database';
import { COST_TODAY, isBudgetSpent } from '../budgets/index.js';
import { STANDING_VERSION } from '../versions/index.js';
import { COUNTED_INDEXES, type CountedMonitors, countedRuns } from './run-counts.sql.js';

const OUTCOMES = { pass: 'PASS', warning: 'WARNING', fault: 'FAULT', error: 'ERROR' };

/** Which runs are counted, by what they are grouped, and the key and label of a group `g`. */
const GROUPS = {
  none: { of: 'one', by: `'all'`, runs: 'NOT t.shadow', key: 'g.member', label: 'g.member' },
  monitor: {
    of: 'all',
    by: 't.monitor_id',
    runs: 'NOT t.shadow',
    key: 'g.member::text',
    label: 'g.member::text',
  },
  version: {
    of: 'one',
    by: `t.version_number || CASE WHEN t.shadow THEN '/shadow' ELSE '' END`,
    runs: 'true',
    key: 'g.member',
    label: `replace(g.member, '/shadow', ' (shadow)')`,
  },
} as const satisfies Record<string, { of: CountedMonitors } & Record<'by' | 'runs' | 'key' | 'label', string>>;

export type ActivityGroup = keyof typeof GROUPS;

/** SQL of the runs of each outcome among rows `of`. */
export const byOutcome = (of: string): string =>
  Object.entries(OUTCOMES)
    .map(
      ([name, outcome]) => `COALESCE(sum(${of}.runs) FILTER (WHERE ${of}.outcome = '${outcome}'), 0)::int AS ${name}`,
    )
    .join(', ');

/** The counts of each group and bucket; what was counted and is gone since adds up to nothing. */
export const POINTS = composed(
  (group: ActivityGroup, bucketMs: number) => {
    const { of, by, key, label, runs } = GROUPS[group];
    return readStatement(
      { index: COUNTED_INDEXES[of] },
      `SELECT r.* FROM s, LATERAL (SELECT ${key} AS key, ${label} AS label, g.timestamp, ${byOutcome('g')}, sum(g.runs)::int AS total
       FROM (SELECT ${by} AS member, t.starts - t.starts % ${bucketMs} AS timestamp, t.outcome, sum(t.runs) AS runs
         FROM (${countedRuns(of)}) t WHERE ${runs} GROUP BY 1, 2, 3 HAVING sum(t.runs) <> 0 OFFSET 0) g
       GROUP BY g.member, g.timestamp ORDER BY 1, 3) r`,
    );
  },
  ['none', 60_000],
  ['monitor', 60_000],
  ['version', 60_000],
);

export const MONITOR_NAMES = readStatement(
  { index: 'monitors_pkey' },
  `SELECT r.* FROM s, LATERAL (SELECT t.id, t.name FROM monitors.monitors t
   WHERE t.company_id = s.company AND t.id = ANY($2::int[]) OFFSET 0) r`,
);

/** The newest run of a target is looked up in what was counted last of it. */
export const METRICS_OF_TARGETS = readStatement(
  { index: COUNTED_INDEXES.one },
  `SELECT r.* FROM s, LATERAL (SELECT f.target_id, ${[...Object.keys(OUTCOMES), 'total'].map((name) => `COALESCE(sum(f.${name}), 0)::int AS ${name}`).join(', ')},
     sum(f.duration_ms)::bigint AS duration_ms, sum(f.cost)::float8 AS cost, max(l.last_run_at) AS last_run_at
   FROM (SELECT c.target_id, ${byOutcome('c')}, sum(c.runs)::int AS total, max(c.starts) AS newest,
       CASE WHEN sum(c.timed) > 0 THEN sum(c.duration_ms) END AS duration_ms, CASE WHEN sum(c.priced) > 0 THEN sum(c.cost) END AS cost
     FROM (SELECT t.monitor_target_id AS target_id, t.outcome, t.starts, ${['runs', 'timed', 'duration_ms', 'priced', 'cost'].map((name) => `sum(t.${name}) AS ${name}`).join(', ')}
       FROM (${countedRuns('one')}) t WHERE NOT t.shadow GROUP BY 1, 2, 3 HAVING sum(t.runs) <> 0) c GROUP BY 1) f
   CROSS JOIN LATERAL (SELECT max(n.date_created) AS last_run_at FROM monitors.monitor_runs n
     WHERE n.company_id = s.company AND n.monitor_id = $8 AND n.date_created >= f.newest AND n.date_created < $7 AND NOT n.shadow
       AND n.monitor_target_id = f.target_id AND n.outcome IS NOT NULL AND ($10::text[] IS NULL OR n.outcome = ANY($10))) l
   GROUP BY GROUPING SETS ((f.target_id), ()) ORDER BY 1) r`,
);

export const BUDGET = readStatement(
  {
    index: [
      ...COUNTED_INDEXES.one,
      'monitor_costs_pkey',
      'monitor_releases_default',
      'monitor_versions_company_id_monitor_id_version_number_key',
      'monitors_pkey',
    ],
  },
  `SELECT r.* FROM s, LATERAL (SELECT ${isBudgetSpent('w')} AS budget_exhausted, ${COST_TODAY} AS cost_today,
     (SELECT CASE WHEN sum(c.priced) > 0 THEN sum(c.cost)::float8 END FROM (${countedRuns('one')}) c WHERE c.shadow) AS shadow_cost
   FROM monitors.monitors t
   ${STANDING_VERSION}
   WHERE t.company_id = s.company AND t.id = $8 OFFSET 0) r`,
);
