import type { Platform } from '@signalbox/testing';
import { fill } from './fill.js';

const DAY = 86_400_000;
const MONITORS = 20;

const CREATE = `INSERT INTO monitors.monitors (company_id, name, status, config, activated_at)
  SELECT $1, 'monitor ' || n, 'PAUSED', '{}', 1 FROM generate_series(1, ${MONITORS}) n RETURNING id`;
const TARGETS = `INSERT INTO monitors.monitor_targets (company_id, monitor_id, target_type, target_id, target_name, sample_rate, enabled)
  SELECT $1, m, 'agent', n, 'agent ' || n, 100, false FROM unnest($2::int[]) WITH ORDINALITY t(m, n) RETURNING id`;
const VERSIONS = `INSERT INTO monitors.monitor_versions (company_id, monitor_id, version_number, is_latest, snapshot)
  SELECT $1, m, '1.0.0', true, '{}' FROM unnest($2::int[]) m RETURNING id`;

/** Judged runs of 90 days in the order of time: some warnings, faults and errors, one in ten a shadow. */
const RUNS = `INSERT INTO monitors.monitor_runs (company_id, monitor_id, monitor_target_id, monitor_version_id, version_number, source_type,
    source_id, runner_type, shadow, batch, attempts, outcome, failure_class, error_message, resolution_trace, runner_duration_ms, cost,
    release, date_created)
  SELECT $1, ($5::int[])[own], ($6::int[])[own], ($7::int[])[own], '1.0.0', 'agent_task', md5(n::text)::uuid::text, 'direct', n % 10 = 0,
    md5((n / 500)::text)::uuid, 1, outcome, CASE WHEN outcome = 'ERROR' THEN 'provider' END,
    CASE WHEN outcome = 'ERROR' THEN 'the provider answered 500' END, '{"kind":"default"}', (exp(3 + 4 * random()))::int, (n % 100) * 0.00001,
    CASE WHEN n % 3 = 0 THEN 'production' END, $4::bigint + (n::float8 / $8::int * 90 * ${DAY})::bigint
  FROM (SELECT n, 1 + (random() * random() * ${MONITORS})::int % ${MONITORS} AS own,
      (ARRAY['PASS','PASS','PASS','PASS','PASS','PASS','PASS','WARNING','FAULT','ERROR'])[1 + n % 10] AS outcome
    FROM generate_series($2::int, $3::int) n) d`;

/** Ids of a monitor and one of its targets. */
export interface FilledMonitor {
  monitor: number;
  target: number;
}

/** Fills a company with judged runs past the service; the monitor is the one with most of them. */
export async function fillMonitorRuns(platform: Platform, companyId: number, count: number): Promise<FilledMonitor> {
  const ids = async (text: string, values: unknown[]): Promise<number[]> =>
    (await platform.sql.query<{ id: number }>(text, values)).rows.map(({ id }) => id);
  const monitors = await ids(CREATE, [companyId]);
  const targets = await ids(TARGETS, [companyId, monitors]);
  const versions = await ids(VERSIONS, [companyId, monitors]);
  const values = [companyId, Date.now() - 90 * DAY, monitors, targets, versions, count];
  // They count the runs.
  await fill(platform, { table: 'monitors.monitor_runs', insert: RUNS, count, values, triggers: true });
  return { monitor: monitors[0]!, target: targets[0]! };
}
