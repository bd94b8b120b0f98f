import { txStatement, workerStatement } from '@signalbox/database';

/** Rows per statement. */
export const SLICE = 1000;

export const COMPANIES_WITH_MONITORS = workerStatement(
  { index: 'monitors_pkey' },
  'SELECT DISTINCT company_id FROM monitors.monitors',
);

export const DELETE_OLD_COSTS = txStatement(
  { index: 'monitor_costs_pkey' },
  'DELETE FROM monitors.monitor_costs WHERE company_id = $1 AND day < $2',
);

export const DELETE_OLD_RUNS = txStatement(
  { index: ['monitor_runs_newest', 'monitor_runs_pkey'] },
  `WITH old AS MATERIALIZED (SELECT id, date_created FROM monitors.monitor_runs
     WHERE company_id = $1 AND date_created >= $2 AND date_created < $3 AND outcome IS NOT NULL
     ORDER BY date_created, id LIMIT ${SLICE}),
   gone AS (DELETE FROM monitors.monitor_runs WHERE company_id = $1 AND id = ANY (ARRAY(SELECT id FROM old)) RETURNING 1)
   SELECT (SELECT count(*) FROM gone)::int AS deleted, (SELECT max(date_created) FROM old) AS newest`,
);
