import { companiesWith, txStatement, workerStatement } from '@signalbox/database';

/** Changes that one transaction folds. */
export const SLICE = 2000;

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const UNITS = `(VALUES ('hour', ${HOUR_MS}::bigint), ('day', ${DAY_MS})) u(unit, ms)`;

/** The columns by which runs are counted, and what is summed of them. */
const GROUPED = ['monitor_id', 'monitor_target_id', 'version_number', 'shadow', 'outcome'];
const MEASURED = ['runs', 'timed', 'duration_ms', 'priced', 'cost'];
/** The same of a single run. */
const OF_RUN = [
  '1::bigint AS runs',
  '(t.runner_duration_ms IS NOT NULL)::int::bigint AS timed',
  'COALESCE(t.runner_duration_ms, 0)::bigint AS duration_ms',
  '(t.cost IS NOT NULL)::int::bigint AS priced',
  'COALESCE(t.cost::text::numeric, 0) AS cost',
];

const list = (names: readonly string[], of = ''): string => names.map((name) => `${of}${name}`).join(', ');

/** Whose runs are counted: of one monitor, or of all monitors of the company. */
export type CountedMonitors = 'one' | 'all';

/**
 * SQL of what is counted of judged runs between $2 and $7: single runs before $3 and from $6 on, hours until $4 and from $5
 * on, and days between these, with what is not folded yet. $8 is the monitor, $9 its targets, $10 the outcomes.
 */
export function countedRuns(monitors: CountedMonitors): string {
  const selected = `t.company_id = s.company AND ${monitors === 'one' ? 't.monitor_id = $8::int' : '$8::int IS NULL'}
    AND ($9::int[] IS NULL OR t.monitor_target_id = ANY($9)) AND ($10::text[] IS NULL OR t.outcome = ANY($10))`;
  const runs = (from: string, to: string): string =>
    `SELECT ${list(GROUPED, 't.')}, t.date_created AS starts, ${OF_RUN.join(', ')} FROM monitors.monitor_runs t
     WHERE ${selected} AND t.date_created >= ${from}::bigint AND t.date_created < ${to}::bigint AND t.outcome IS NOT NULL`;
  const counts = (unit: string, from: string, to: string): string =>
    `SELECT ${list(GROUPED, 't.')}, t.starts, ${list(MEASURED, 't.')} FROM monitors.monitor_run_counts t
     WHERE ${selected} AND t.unit = '${unit}' AND t.starts >= ${from}::bigint AND t.starts < ${to}::bigint`;
  const changes = `SELECT ${list(GROUPED, 't.')},
       CASE WHEN t.starts >= $4::bigint AND t.starts < $5::bigint THEN t.starts - t.starts % ${DAY_MS} ELSE t.starts END AS starts,
       ${list(MEASURED, 't.')} FROM monitors.monitor_run_count_changes t
     WHERE ${selected} AND t.starts >= $3::bigint AND t.starts < $6::bigint`;
  return [
    runs('$2', '$3'),
    runs('$6', '$7'),
    counts('hour', '$3', '$4'),
    counts('hour', '$5', '$6'),
    counts('day', '$4', '$5'),
    changes,
  ].join('\n     UNION ALL ');
}

/** The indexes that `countedRuns` uses. */
export const COUNTED_INDEXES = {
  one: ['monitor_run_count_changes_pkey', 'monitor_run_counts_pkey', 'monitor_runs_time'],
  all: ['monitor_run_count_changes_pkey', 'monitor_run_counts_pkey', 'monitor_runs_newest'],
} as const satisfies Record<CountedMonitors, readonly string[]>;

export const COMPANIES_WITH_CHANGES = workerStatement(
  { index: 'monitor_run_count_changes_pkey' },
  companiesWith('monitors.monitor_run_count_changes', 'true'),
);

export const HOLD_COUNTS = txStatement(
  { index: null },
  `SELECT pg_try_advisory_xact_lock(hashtext('monitors run counts'), $1) AS held`,
);

/** Changes are taken in their order: none takes away what an earlier one adds. */
export const FOLD_CHANGES = txStatement(
  { index: ['monitor_run_count_changes_pkey', 'monitor_run_counts_pkey'] },
  `WITH taken AS MATERIALIZED (DELETE FROM monitors.monitor_run_count_changes c WHERE c.company_id = $1 AND c.id = ANY (ARRAY(
     SELECT id FROM monitors.monitor_run_count_changes WHERE company_id = $1 ORDER BY id LIMIT ${SLICE})) RETURNING c.*),
   folded AS (INSERT INTO monitors.monitor_run_counts AS t (company_id, unit, starts, ${list(GROUPED)}, ${list(MEASURED)})
     SELECT $1, u.unit, c.starts - c.starts % u.ms, ${list(GROUPED, 'c.')}, ${MEASURED.map((name) => `sum(c.${name})`).join(', ')}
     FROM taken c CROSS JOIN ${UNITS} GROUP BY u.unit, 3, ${list(GROUPED, 'c.')}
     ON CONFLICT (company_id, unit, monitor_id, starts, monitor_target_id, version_number, shadow, outcome)
     DO UPDATE SET ${MEASURED.map((name) => `${name} = t.${name} + EXCLUDED.${name}`).join(', ')})
   SELECT count(*)::int AS taken FROM taken`,
);

export const DELETE_EMPTY_COUNTS = txStatement(
  { index: 'monitor_run_counts_empty' },
  'DELETE FROM monitors.monitor_run_counts WHERE company_id = $1 AND runs = 0',
);
