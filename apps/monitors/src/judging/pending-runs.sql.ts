import { composed, txStatement } from '@signalbox/database';
import { IS_BUDGET_SPENT } from '../budgets/index.js';
import { RUN_FIELDS } from './run-fields.js';
import { OUTCOME_TYPES } from './run-outcome.js';

export const DROP_RUNS_OVER_BUDGET = txStatement(
  {
    index: ['monitor_costs_pkey', 'monitor_runs_batch', 'monitor_versions_pkey', 'monitors_pkey'],
  },
  `DELETE FROM monitors.monitor_runs r USING monitors.monitors t, monitors.monitor_versions v
   WHERE r.company_id = $1 AND r.batch = $2 AND r.outcome IS NULL AND t.company_id = $1 AND t.id = r.monitor_id
     AND v.company_id = $1 AND v.id = r.monitor_version_id
     AND ${IS_BUDGET_SPENT}`,
);

export const PENDING_RUNS = txStatement(
  { index: ['monitor_runs_batch', 'monitor_versions_pkey'] },
  `SELECT r.id, r.monitor_id, r.source_type, r.source_id, r.attempts, v.snapshot->'config' AS config
   FROM monitors.monitor_runs r JOIN monitors.monitor_versions v ON v.company_id = r.company_id AND v.id = r.monitor_version_id
   WHERE r.company_id = $1 AND r.batch = $2 AND r.outcome IS NULL ORDER BY r.id`,
);

export const COUNT_ATTEMPTS = txStatement(
  { index: 'monitor_runs_pkey' },
  `UPDATE monitors.monitor_runs r SET attempts = r.attempts + 1, cost = COALESCE(r.cost + u.c, r.cost, u.c)
   FROM unnest($2::bigint[], $3::double precision[]) u(i, c) WHERE r.company_id = $1 AND r.id = u.i AND r.outcome IS NULL`,
);

/** Runs without an outcome, or failed ones that are judged again. */
export type OpenRuns = 'outcome IS NULL' | `outcome = 'ERROR'`;

export const COMPLETE_RUNS = composed(
  (open: OpenRuns) =>
    txStatement(
      { index: 'monitor_runs_pkey' },
      `UPDATE monitors.monitor_runs t SET outcome = u.outcome,
    failure_class = u.failure_class, error_message = u.error_message, resolution_trace = u.resolution_trace,
    runner_output = u.runner_output, runner_duration_ms = u.duration, cost = COALESCE(t.cost + u.cost, t.cost, u.cost),
    attempts = t.attempts + 1
  FROM unnest($2::bigint[], ${OUTCOME_TYPES.map((type, at) => `$${at + 3}::${type}`).join(', ')})
    u(id, outcome, failure_class, error_message, resolution_trace, runner_output, duration, cost)
  WHERE t.company_id = $1 AND t.id = u.id AND t.${open} RETURNING ${RUN_FIELDS}`,
    ),
  ['outcome IS NULL'],
  [`outcome = 'ERROR'`],
);
