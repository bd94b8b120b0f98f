import { txStatement, workerStatement, NOW_MS } from '@signalbox/database';
import { isBudgetSpent } from '../budgets/index.js';
import { OUTCOME_TYPES } from '../judging/index.js';
import { STANDING_VERSION } from '../versions/index.js';

const RUNNER = `v.snapshot->'config'->'runner'`;

/** A shadow version obeys the limit of the version that judges production, too. */
export const TARGETS_TO_SAMPLE = txStatement(
  {
    index: [
      'monitor_costs_pkey',
      'monitor_releases_default',
      'monitor_targets_of',
      'monitor_versions_company_id_monitor_id_version_number_key',
      'monitors_pkey',
    ],
  },
  `SELECT x.id, x.target_id, x.monitor_id, x.sample_rate, v.id AS version_id, v.version_number,
     ${RUNNER}->>'resource_type' AS runner_type, ${RUNNER}->>'resource_id' AS runner_ref_id,
     CASE WHEN ${RUNNER}->>'resource_type' = 'direct' THEN v.snapshot->'config' END AS config,
     v.id <> w.id AS shadow, CASE WHEN v.id = l.version_id THEN l.name END AS release,
     GREATEST(t.activated_at, x.date_created) AS since
   FROM monitors.monitor_targets x
   JOIN monitors.monitors t ON t.company_id = x.company_id AND t.id = x.monitor_id
   ${STANDING_VERSION}
   JOIN monitors.monitor_versions v ON v.company_id = t.company_id AND v.monitor_id = t.id
     AND (v.id = w.id OR v.version_number = t.shadow_version)
   WHERE x.company_id = $1 AND x.target_type = $2 AND x.target_id = ANY($3::int[]) AND x.enabled AND x.sample_rate > 0
     AND x.deleted_at IS NULL AND t.deleted_at IS NULL AND t.status = 'ACTIVE'
     AND NOT ${isBudgetSpent('w')} AND NOT ${isBudgetSpent('v')}`,
);

export const COMPANIES_THAT_WATCH = workerStatement(
  { index: ['monitor_targets_of', 'monitors_pkey'] },
  `SELECT DISTINCT t.company_id FROM monitors.monitors t
   JOIN monitors.monitor_targets x ON x.company_id = t.company_id AND x.monitor_id = t.id
   WHERE t.company_id = ANY($2::int[]) AND t.status = 'ACTIVE' AND t.deleted_at IS NULL
     AND x.company_id = ANY($2::int[]) AND x.target_type = $1 AND x.deleted_at IS NULL`,
);

/**
 * Ignores a run that exists, as when its event was delivered under another id. What runs of a target have in common is
 * sent once per target (`x`), and their jobs once per job (`j`).
 */
export const INSERT_RUNS = txStatement(
  { index: 'monitor_runs_source' },
  `INSERT INTO monitors.monitor_runs AS t (company_id, monitor_id, monitor_target_id, monitor_version_id,
     version_number, runner_type, runner_ref_id, shadow, release, batch, source_type, source_id, date_created,
     outcome, failure_class, error_message, resolution_trace, runner_output, runner_duration_ms, cost, attempts)
   SELECT $1, ($3::int[])[x], ($4::int[])[x], ($5::int[])[x], ($6::text[])[x], ($7::text[])[x], ($8::text[])[x],
     ($9::boolean[])[x], ($10::text[])[x], ($11::text[])[j]::uuid, $2, s, (SELECT ${NOW_MS}),
     o, c, e, y, p, d, z, (o IS NOT NULL)::int
   FROM unnest($12::int[], $13::int[], $14::text[], ${OUTCOME_TYPES.map((type, at) => `$${at + 15}::${type}`).join(', ')})
     u(x, j, s, o, c, e, y, p, d, z)
   ON CONFLICT (company_id, source_type, source_id, monitor_target_id, monitor_version_id) DO NOTHING
   RETURNING t.id, t.source_id, t.monitor_target_id, t.monitor_version_id, t.date_created`,
);
