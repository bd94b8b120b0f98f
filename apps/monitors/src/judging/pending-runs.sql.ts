import { composed, txStatement } from '@signalbox/database';
import { isBudgetSpent } from '../budgets/index.js';
import { STANDING_VERSION } from '../versions/index.js';
import { RUN_FIELDS } from './run-fields.js';
import { OUTCOME_TYPES } from './run-outcome.js';

/**
 * Runs that nothing is to be spent on: of monitors that are paused, deleted or over their budget of the day. A shadow
 * version obeys the limit of the version that judges production, too.
 */
export const DROP_STOPPED_RUNS = txStatement(
  {
    index: [
      'monitor_costs_pkey',
      'monitor_releases_default',
      'monitor_runs_batch',
      'monitor_versions_company_id_monitor_id_version_number_key',
      'monitor_versions_pkey',
      'monitors_pkey',
    ],
  },
  `DELETE FROM monitors.monitor_runs r WHERE r.company_id = $1 AND r.batch = $2 AND r.outcome IS NULL
   AND NOT EXISTS (SELECT 1 FROM monitors.monitors t
     JOIN monitors.monitor_versions v ON v.company_id = $1 AND v.id = r.monitor_version_id
     ${STANDING_VERSION}
     WHERE t.company_id = $1 AND t.id = r.monitor_id AND t.deleted_at IS NULL AND t.status = 'ACTIVE'
       AND NOT ${isBudgetSpent('v')} AND NOT (r.shadow AND ${isBudgetSpent('w')}) OFFSET 0)`,
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

/** Runs without an outcome, or failed ones that are judged again, unless another retry has judged them meanwhile. */
export type OpenRuns = 'outcome IS NULL' | `outcome = 'ERROR' AND t.attempts = u.attempts`;

export const COMPLETE_RUNS = composed(
  (open: OpenRuns) =>
    txStatement(
      { index: 'monitor_runs_pkey' },
      `UPDATE monitors.monitor_runs t SET outcome = u.outcome,
    failure_class = u.failure_class, error_message = u.error_message, resolution_trace = u.resolution_trace,
    runner_output = u.runner_output, runner_duration_ms = u.duration, cost = COALESCE(t.cost + u.cost, t.cost, u.cost),
    attempts = t.attempts + 1
  FROM unnest($2::bigint[], $3::int[], ${OUTCOME_TYPES.map((type, at) => `$${at + 4}::${type}`).join(', ')})
    u(id, attempts, outcome, failure_class, error_message, resolution_trace, runner_output, duration, cost)
  WHERE t.company_id = $1 AND t.id = u.id AND t.${open} RETURNING ${RUN_FIELDS}`,
    ),
  ['outcome IS NULL'],
  [`outcome = 'ERROR' AND t.attempts = u.attempts`],
);
