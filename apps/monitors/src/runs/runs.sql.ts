import { readStatement, type View } from '@signalbox/database';
import { RUN_COLUMNS } from '../judging/index.js';

const BODIES = { resolution_trace: `COALESCE(t.resolution_trace, '[]'::json)`, runner_output: 't.runner_output' };

const LATEST = `EXISTS (SELECT 1 FROM monitors.monitor_versions v
  WHERE v.company_id = t.company_id AND v.id = t.monitor_version_id AND v.is_latest)`;

/** The value is a pattern of text escaped as in JSON. */
const TEXT = `(t.runner_output::text ILIKE ? OR t.resolution_trace::text ILIKE ? OR to_json(t.error_message)::text ILIKE ?)`;

export const view: View = {
  resource: 'run',
  table: 'monitors.monitor_runs',
  keyType: 'bigint',
  columns: RUN_COLUMNS,
  detail: BODIES,
  alive: 't.outcome IS NOT NULL',
  filters: {
    monitor_id: 't.monitor_id = ?',
    outcome: 't.outcome = ANY(?::text[])',
    // Its index holds the few runs that did not pass.
    not_passed: `t.outcome <> 'PASS' AND t.outcome = ANY(?::text[])`,
    failure_class: 't.failure_class = ANY(?::text[])',
    monitor_target_id: 't.monitor_target_id = ANY(?::int[])',
    source_type: 't.source_type = ANY(?::text[])',
    release: 't.release = ?',
    shadow: 't.shadow = ?::boolean',
    min_duration_ms: 't.runner_duration_ms >= ?',
    min_cost: 't.cost >= ?',
    start_date: 't.date_created >= ?',
    end_date: 't.date_created < ?',
    source_kind: 't.source_type = ?',
    source_id: 't.source_id = ?',
    version: 't.version_number = ?',
    latest: LATEST,
    text: TEXT,
  },
  search: ['t.source_id', 't.error_message'],
  sort: { date_updated: 't.date_created', duration_ms: 't.runner_duration_ms', cost: 't.cost' },
};

export const withBodies: View = { ...view, bodies: BODIES, detail: {} };

export const REPEATABLE_RUN = readStatement(
  { index: ['monitor_runs_pkey', 'monitor_versions_pkey'] },
  `SELECT x.* FROM s, LATERAL (SELECT r.id, r.monitor_id, r.outcome, r.attempts, r.source_type, r.source_id, v.snapshot->'config' AS config
   FROM monitors.monitor_runs r JOIN monitors.monitor_versions v ON v.company_id = r.company_id AND v.id = r.monitor_version_id
   WHERE r.company_id = s.company AND r.monitor_id = $2 AND r.id = $3 AND r.outcome IS NOT NULL OFFSET 0) x`,
);
